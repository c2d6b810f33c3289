import type { Search } from '../weather/recent-searches.js';
import type { LocatedQuery } from './finder.js';
import type { RequestLogFields } from './request-log-fields.js';

/** A response as a value. `edge/edge.ts` adds the headers of the client, and writes it. */
export interface Answer {
  status: number;
  /** Names and values of headers, in turn: they are the same for every client. */
  headers: readonly string[];
  /** The headers that describe the body. A response with status 304 is sent without them. */
  content: readonly string[];
  body: string | Buffer;
  /** The weak `ETag`. A client that has it already receives a 304. */
  tag?: string | undefined;
  /** Whole seconds since the data of a public response was fetched. Absent: it is not public. */
  publicAgeSeconds?: number | undefined;
  logFields?: RequestLogFields | undefined;
  /** The error that this answer reports. The log record of a 5xx has it. */
  error?: unknown;
  /** The search of the request. It is recorded if the request belongs to a session. */
  search?: Search | undefined;
  /** What the next request with the same URL need not find again. */
  known?: KnownQuery | undefined;
  /** The HTTP status that the result of a tool call would have. Log and metrics show it. */
  toolStatus?: number;
}

/**
 * What is remembered of a hit: the query and the answer, but not the entry, which the near cache
 * may evict.
 */
export interface KnownQuery {
  readonly query: LocatedQuery;
  readonly fetchId: string;
  readonly minute: number;
  /** Without `Age` and `Cache-Control`. It is the same until the entry or the minute changes. */
  readonly answer: Answer;
}

export type Headers = Record<string, string | undefined>;

/** Headers of every JSON response: it loads nothing, and no page may frame it. */
export const JSON_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
};

const JSON_TYPE = 'application/json; charset=utf-8';

/** Creates an answer. @param headers replace `Vary` and the headers of JSON responses */
export function answerOf(
  status: number,
  type: string,
  body: string | Buffer,
  headers: Headers = {},
): Answer {
  const content = { 'Content-Type': type, 'Content-Length': String(Buffer.byteLength(body)) };
  return { ...emptyAnswer(status, headers), content: flatten(content), body };
}

/** Creates an answer with a value, or JSON text, as its body, which ends with a newline. */
export function jsonAnswer(status: number, json: object | string, headers?: Headers): Answer {
  const text = typeof json === 'string' ? json : JSON.stringify(json);
  return answerOf(status, JSON_TYPE, `${text}\n`, headers);
}

/** Creates an answer without a body. */
export function emptyAnswer(status: number, headers: Headers = {}): Answer {
  return {
    status,
    headers: flatten({ Vary: 'Origin', ...JSON_HEADERS, ...headers }),
    content: [],
    body: '',
  };
}

/** Returns names and values in turn, as `writeHead` takes them. */
export function flatten(headers: Headers): string[] {
  const list: string[] = [];
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) list.push(name, value);
  }
  return list;
}
