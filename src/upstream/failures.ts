import { FetchError } from 'node-fetch';
import { UpstreamError, type UpstreamFailureKind } from '../errors.js';
import { BREAKER_POLICY } from './breaker.js';

export interface AnswerHeaders {
  get(name: string): string | null;
}

export interface RawAnswer {
  status: number;
  headers: AnswerHeaders;
  body: string;
}

/** What an error status means. */
export interface StatusMeaning {
  kind: UpstreamFailureKind;
  message: string;
  retryAfterMs?: number | undefined;
}

/**
 * Reads an answer with a 4xx or 5xx status; undefined leaves it to the general rules.
 * `at`: the upstream's own time of the answer, milliseconds since the epoch.
 */
export type Explain = (answer: {
  status: number;
  body: string;
  at: number;
}) => StatusMeaning | undefined;

/**
 * For a 429 that does not say how long. No documented window is shorter. Doubled: the provider is
 * called again a minute later.
 */
const DEFAULT_QUOTA_MS = 60_000;
/**
 * The longest quota window of a provider is a day. A longer wait is probably a mistake. Doubled: after
 * such a mistake the provider is not called for two days.
 */
const MAX_QUOTA_MS = 86_400_000;

/** A redirect is refused as a rule: it could lead to an address inside. */
export function isRedirect(status: number): boolean {
  return status >= 300 && status < 400 && status !== 304;
}

/** Where an answer redirects to, if that is on the very same host over HTTPS. */
export function redirectOnHost(url: URL, { status, headers }: RawAnswer): URL | undefined {
  const location = isRedirect(status) ? headers.get('location') : null;
  if (location === null || !URL.canParse(location, url.href)) return undefined;
  const target = new URL(location, url);
  const isOurs = target.protocol === 'https:' && target.host === url.host;
  return isOurs && target.username === '' && target.password === '' ? target : undefined;
}

/** A used-up quota lasts as long as `Retry-After` says. An outage is probed as soon as any other. */
export function statusError(
  upstream: string,
  answer: RawAnswer,
  at: number,
  explain?: Explain,
): UpstreamError {
  const { status, headers, body } = answer;
  const explained = status >= 400 ? explain?.({ status, body, at }) : undefined;
  const { kind, message, ...rest } = explained ?? meaningOf(status);
  const told =
    status === 429 || status === 503 ? retryAfter(headers.get('retry-after'), at) : undefined;
  const longest = kind === 'quota' ? MAX_QUOTA_MS : BREAKER_POLICY.maxOpenMs;
  return new UpstreamError(upstream, kind, `${message} (status ${status})`, {
    retryAfterMs: told === undefined ? rest.retryAfterMs : Math.min(told, longest),
  });
}

function meaningOf(status: number): StatusMeaning {
  if (status === 429) {
    return { kind: 'quota', message: 'quota used up', retryAfterMs: DEFAULT_QUOTA_MS };
  }
  if (status >= 500) return { kind: 'unavailable', message: 'server error' };
  if (isRedirect(status)) return { kind: 'unavailable', message: 'redirect refused' };
  return { kind: 'bad_answer', message: 'request refused' };
}

/**
 * `Retry-After` (RFC 9110, 10.2.3), in seconds or as a date, as milliseconds from `at`.
 * At least a second; undefined when there is none that can be read.
 */
function retryAfter(value: string | null, at: number): number | undefined {
  if (value === null) return undefined;
  const text = value.trim();
  const wait = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - at;
  if (Number.isNaN(wait)) return undefined;
  return Math.max(wait, 1000);
}

/** Names the fault by its code alone: node-fetch writes the URL into its messages. */
export function transportError(
  upstream: string,
  error: unknown,
  maxBodyBytes: number,
): UpstreamError {
  if (error instanceof FetchError && error.type === 'max-size') {
    return new UpstreamError(upstream, 'bad_answer', `more than ${maxBodyBytes} bytes`);
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'no code';
  return code.startsWith('Z_')
    ? new UpstreamError(upstream, 'bad_answer', `the answer cannot be decompressed (${code})`)
    : new UpstreamError(upstream, 'unavailable', `connection failed (${code})`);
}
