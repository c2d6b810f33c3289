import { InvalidInputError } from '../errors.js';

/** What a client wrote behind its method, in two parts. Both are as it wrote them. */
export interface Target {
  path: string;
  /** Without the question mark; empty if there is none. */
  query: string;
  /** Whether it is a path, `*`, or a URL that can be parsed. */
  isValid: boolean;
  /** What the query says, after it was read. */
  parameters?: Query;
}

/** The parameters of a query: of one that is given several times, all values. */
export type Query = Record<string, string | string[]>;

/** Enough for two names of 100 characters each. Doubled: a hostile query takes twice as long to read. */
const MAX_QUERY_BYTES = 2048;
/** No path has more than three parameters. Doubled: nobody notices. */
const MAX_PARAMETERS = 50;
/** A host name has at most 253 characters. A longer one takes long to parse if it is an international one. */
const MAX_AUTHORITY_LENGTH = 300;
const AUTHORITY = /^[a-z][a-z\d+.-]*:\/\/([^/?#]+)/i;

/**
 * Takes the target of a request apart, in one pass and without ever throwing. Koa's and Node's own
 * parsers throw at URLs that are none, write warnings with the client's text, and are slower than linear.
 */
export function parseTarget(url: string): Target {
  if (url.startsWith('/')) return { ...split(url), isValid: true };
  // A proxy writes the whole URL (RFC 9112, 3.2.2).
  const [start = '', authority = ''] = AUTHORITY.exec(url) ?? [];
  const isUrl =
    start !== '' && authority.length <= MAX_AUTHORITY_LENGTH && URL.canParse(`http://${authority}`);
  if (!isUrl) return { ...split(url), isValid: url === '*' };
  const rest = url.slice(start.length);
  return { ...split(rest.startsWith('/') ? rest : `/${rest}`), isValid: true };
}

function split(target: string): Pick<Target, 'path' | 'query'> {
  const end = target.indexOf('#');
  const whole = end < 0 ? target : target.slice(0, end);
  const mark = whole.indexOf('?');
  return mark < 0
    ? { path: whole, query: '' }
    : { path: whole.slice(0, mark), query: whole.slice(mark + 1) };
}

/** Whether a query is short enough to be read. That is decided without reading it. */
export function isBounded({ query }: Target): boolean {
  if (query.length > MAX_QUERY_BYTES) return false;
  let parameters = 1;
  for (let at = query.indexOf('&'); at >= 0; at = query.indexOf('&', at + 1)) parameters += 1;
  return parameters <= MAX_PARAMETERS;
}

/** @throws InvalidInputError when the query is longer than is allowed, or has more parameters */
export function checkQuery(target: Target): void {
  if (isBounded(target)) return;
  throw new InvalidInputError(
    'Bad request',
    `The query must not exceed ${MAX_QUERY_BYTES / 1024} KiB and ${MAX_PARAMETERS} parameters`,
  );
}

/**
 * Reads the query of a target, once. Koa's `ctx.query` takes a time that is quadratic in the number of names.
 * @throws InvalidInputError as `checkQuery` does
 */
export function queryOf(target: Target): Query {
  if (target.parameters) return target.parameters;
  checkQuery(target);
  const parameters = Object.create(null) as Query;
  for (const [name, value] of new URLSearchParams(target.query)) {
    const before = parameters[name];
    parameters[name] = before === undefined ? value : [before, value].flat();
  }
  return (target.parameters = parameters);
}
