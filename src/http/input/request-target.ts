import { InvalidInputError } from '../../base/errors.js';

/** The target of a request: path and query, as the client wrote them. */
export interface Target {
  readonly path: string;
  /** Without the question mark; empty if there is none. */
  readonly query: string;
  /** Whether it is a path, `*`, or a URL that can be parsed. */
  readonly isValid: boolean;
}

/** The parameters of a query. A repeated parameter has a list of values. */
type QueryParameters = Record<string, string | string[]>;

/** Maximum length of a query in bytes: enough for two names of 100 characters. */
const MAX_QUERY_BYTES = 2048;
const MAX_PARAMETERS = 50;
/** A host name has at most 253 characters. Parsing a longer international name takes long. */
const MAX_AUTHORITY_LENGTH = 300;
const AUTHORITY = /^[a-z][a-z\d+.-]*:\/\/([^/?#]+)/i;

/** Splits a target. The parsers of Koa and Node.js throw for some URLs, and are slow for others. */
export function parseTarget(url: string): Target {
  if (url.startsWith('/')) return split(url, true);
  // The target of a request to a proxy is a URL (RFC 9112, 3.2.2).
  const [start = '', authority = ''] = AUTHORITY.exec(url) ?? [];
  const isUrl =
    start !== '' && authority.length <= MAX_AUTHORITY_LENGTH && URL.canParse(`http://${authority}`);
  if (!isUrl) return split(url, url === '*');
  const pathAndQuery = url.slice(start.length);
  return split(pathAndQuery.startsWith('/') ? pathAndQuery : `/${pathAndQuery}`, true);
}

function split(target: string, isValid: boolean): Target {
  const end = target.indexOf('#');
  const whole = end < 0 ? target : target.slice(0, end);
  const mark = whole.indexOf('?');
  return mark < 0
    ? { path: whole, query: '', isValid }
    : { path: whole.slice(0, mark), query: whole.slice(mark + 1), isValid };
}

/** Returns whether a query is short enough to be read. */
export function isQueryWithinLimits({ query }: Target): boolean {
  if (query.length > MAX_QUERY_BYTES) return false;
  return query.split('&', MAX_PARAMETERS + 1).length <= MAX_PARAMETERS;
}

/** @throws InvalidInputError if the query is too long or has too many parameters */
export function checkQuery(target: Target): void {
  if (isQueryWithinLimits(target)) return;
  throw new InvalidInputError(
    'Bad request',
    `The query must not exceed ${MAX_QUERY_BYTES / 1024} KiB and ${MAX_PARAMETERS} parameters`,
  );
}

/** Reads a query within the limits. Koa's `ctx.query` is quadratic in the number of names. */
export function parametersOf({ query }: Target): QueryParameters {
  const parameters = Object.create(null) as QueryParameters;
  for (const [name, value] of new URLSearchParams(query)) {
    const before = parameters[name];
    parameters[name] = before === undefined ? value : [before, value].flat();
  }
  return parameters;
}
