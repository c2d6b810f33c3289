import { FetchError } from 'node-fetch';
import { DAY_MS, MINUTE_MS } from '../weather/time/durations.js';
import { ExcessError, MAX_BODY_BYTES } from './response-limits.js';
import { UpstreamError, type UpstreamFailureKind } from '../weather/errors.js';

export interface ResponseHeaders {
  get(name: string): string | null;
}

export interface RawResponse {
  status: number;
  headers: ResponseHeaders;
  body: string;
}

export interface StatusMeaning {
  kind: UpstreamFailureKind;
  message: string;
  retryAfterMs?: number | undefined;
}

/** Reads a response with a 4xx or 5xx status at a time. Undefined: the general rules apply. */
export type Explain = (answer: {
  status: number;
  body: string;
  at: number;
}) => StatusMeaning | undefined;

/** Milliseconds to wait after a 429 that names no time. No documented quota window is shorter. */
const DEFAULT_QUOTA_MS = MINUTE_MS;
/** No quota window is longer: a longer `Retry-After` is probably a mistake. */
const MAX_QUOTA_MS = DAY_MS;

/** Redirects are rejected: they could lead to an internal address. */
export function isRedirect(status: number): boolean {
  return status >= 300 && status < 400 && status !== 304;
}

/** Returns the target of a redirect, if it is on the same host over HTTPS. */
export function redirectOnHost(url: URL, { status, headers }: RawResponse): URL | undefined {
  const location = isRedirect(status) ? headers.get('location') : null;
  if (location === null || !URL.canParse(location, url.href)) return undefined;
  const target = new URL(location, url);
  const isOurs = target.protocol === 'https:' && target.host === url.host;
  return isOurs && target.username === '' && target.password === '' ? target : undefined;
}

/** Returns the failure of a response. `Retry-After` in a 5xx must not delay half-open calls. */
export function statusError(
  upstream: string,
  response: RawResponse,
  at: number,
  explain?: Explain,
): UpstreamError {
  const { status, headers, body } = response;
  const explained = status >= 400 ? explain?.({ status, body, at }) : undefined;
  const { kind, message, ...named } = explained ?? meaningOf(status);
  const quotaMs = retryAfter(headers.get('retry-after'), at) ?? named.retryAfterMs;
  return new UpstreamError(upstream, kind, `${message} (status ${status})`, {
    status,
    retryAfterMs:
      kind === 'quota' ? Math.min(quotaMs ?? DEFAULT_QUOTA_MS, MAX_QUOTA_MS) : undefined,
  });
}

function meaningOf(status: number): StatusMeaning {
  if (status === 429) return { kind: 'quota', message: 'quota used up' };
  if (status >= 500) return { kind: 'unavailable', message: 'server error' };
  if (isRedirect(status)) return { kind: 'unavailable', message: 'redirect rejected' };
  return { kind: 'bad_answer', message: 'request rejected' };
}

/** Returns the milliseconds from `at` to `Retry-After` (RFC 9110, 10.2.3), at least 1000. */
function retryAfter(value: string | null, at: number): number | undefined {
  if (value === null) return undefined;
  const text = value.trim();
  const wait = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - at;
  if (Number.isNaN(wait)) return undefined;
  return Math.max(wait, 1000);
}

/** Returns the failure of a connection. The messages of node-fetch would contain the URL. */
export function transportError(upstream: string, error: unknown): UpstreamError {
  if (error instanceof FetchError && error.type === 'max-size') {
    return new UpstreamError(upstream, 'bad_answer', `more than ${MAX_BODY_BYTES} bytes`);
  }
  if (error instanceof ExcessError) return new UpstreamError(upstream, 'bad_answer', error.message);
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'no code';
  return code.startsWith('Z_')
    ? new UpstreamError(upstream, 'bad_answer', `the response cannot be decompressed (${code})`)
    : new UpstreamError(upstream, 'unavailable', `connection failed (${code})`);
}
