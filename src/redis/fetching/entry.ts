import type { Cached } from '../../weather/cache.js';
import { kindOf, type Fetched } from '../../weather/request.js';
import { isDuration, isObject, isPoint, isWeather, parseObject } from '../values.js';

/**
 * How an entry is written in Redis: `<stale ms> <body>`. The remaining life is the key's own, so
 * that only Redis's clock counts. The number in front lets a script tell fresh from stale.
 */

interface Body {
  value: Fetched;
  freshMs: number;
  fetchId: string;
}

/** An id, or the name of a provider: it can stand in a response header. */
const NAME = /^[\w-]{1,100}$/;

/** The text of an entry. */
export function entryText({ value, fetchId, fetchedAt, freshUntil, staleUntil }: Cached): string {
  const body: Body = { value, freshMs: freshUntil - fetchedAt, fetchId };
  return `${Math.round(staleUntil - freshUntil)} ${JSON.stringify(body)}`;
}

/**
 * Reads the text of the entry of a key.
 * @param lifeMs how long the entry still exists, its stale life included
 * @param now the monotonic time at which `lifeMs` was read
 * @returns undefined when the text is no entry of this key
 */
export function readEntry(
  key: string,
  text: string,
  lifeMs: number,
  now: number,
): Cached | undefined {
  const [, stale, json = ''] = /^(\d{1,15}) (.+)$/s.exec(text) ?? [];
  const { value, freshMs, fetchId } = (parseObject(json) ?? {}) as Partial<Body>;
  if (stale === undefined || !isFetched(value) || value.kind !== kindOf(key)) return undefined;
  if (typeof fetchId !== 'string' || !NAME.test(fetchId)) return undefined;
  if (!isDuration(freshMs) || !Number.isFinite(lifeMs)) return undefined;
  // It would have been fetched in the future.
  if (lifeMs > Number(stale) + Math.ceil(freshMs)) return undefined;
  const staleUntil = now + lifeMs;
  const freshUntil = staleUntil - Number(stale);
  return { value, fetchId, fetchedAt: freshUntil - freshMs, freshUntil, staleUntil };
}

function isFetched(value: unknown): value is Fetched {
  if (!isObject(value)) return false;
  const { kind, provider, weather, point } = value;
  if (typeof provider !== 'string' || !NAME.test(provider) || provider in {}) return false;
  if (kind === 'weather') return isWeather(weather);
  return kind === 'geocode' && (point === null || isPoint(point));
}
