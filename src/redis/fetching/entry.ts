import type { Cached } from '../../weather/cache.js';
import type { Fetched } from '../../weather/request.js';
import type { Point, Weather } from '../../weather/types.js';

/**
 * How an entry is written in Redis: `<stale ms> <asker> <body>`. The remaining life is the key's
 * own, so that only Redis's clock counts. The number in front lets a script tell fresh from stale.
 */

/** An entry as it is read. */
export interface SharedEntry {
  cached: Cached;
  /** The process that answers for the fetch: its answer is the `MISS`. */
  asker: string;
}

interface Body {
  value: Fetched;
  freshMs: number;
  fetchId: string;
}

/** The part of an entry's text that the fetching process writes. */
export function entryBody({ value, fetchId, fetchedAt, freshUntil }: Cached): string {
  return JSON.stringify({ value, freshMs: freshUntil - fetchedAt, fetchId } satisfies Body);
}

/**
 * Reads an entry's text. What Redis says is input: a text that is no entry is none.
 * @param lifeMs how long the entry still exists, its stale life included
 * @param now the monotonic time at which `lifeMs` was said
 */
export function readEntry(text: string, lifeMs: number, now: number): SharedEntry | undefined {
  const [, stale, asker = '', json = ''] = /^(\d+) (\S+) (.+)$/s.exec(text) ?? [];
  const body = parseObject(json) as Partial<Body> | undefined;
  if (stale === undefined || !body || !isFetched(body.value)) return undefined;
  const { value, freshMs, fetchId } = body;
  if (typeof freshMs !== 'number' || typeof fetchId !== 'string') return undefined;
  const staleUntil = now + lifeMs;
  const freshUntil = staleUntil - Number(stale);
  const cached = { value, fetchId, fetchedAt: freshUntil - freshMs, freshUntil, staleUntil };
  return { cached, asker };
}

/** The object that a JSON text holds; undefined when it is no JSON or no object. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function isFetched(value: unknown): value is Fetched {
  if (!isObject(value) || typeof value['provider'] !== 'string') return false;
  if (value['kind'] === 'weather') return isWeather(value['weather']);
  return value['kind'] === 'geocode' && (value['point'] === null || isPoint(value['point']));
}

/** Whether a value is a provider's weather. */
export function isWeather(weather: unknown): weather is Weather {
  return (
    isObject(weather) &&
    Number.isFinite(weather['temperature']) &&
    Number.isFinite(weather['humidity']) &&
    Number.isFinite(weather['wind_speed']) &&
    typeof weather['condition'] === 'string' &&
    // Absent where the provider did not say it, and in entries of the first version.
    (weather['is_day'] === undefined || typeof weather['is_day'] === 'boolean')
  );
}

/** Whether a value is a point on the earth. */
export function isPoint(point: unknown): point is Point {
  return (
    isObject(point) && Number.isFinite(point['latitude']) && Number.isFinite(point['longitude'])
  );
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
