import type { Cached } from '../../weather/cache.js';
import { isCondition } from '../../weather/conditions.js';
import { implausibleField } from '../../weather/plausible.js';
import { kindOf, type Fetched } from '../../weather/request.js';
import type { Point, Weather } from '../../weather/types.js';

/**
 * How an entry is written in Redis: `<stale ms> <body>`. The remaining life is the key's own, so
 * that only Redis's clock counts. The number in front lets a script tell fresh from stale.
 *
 * What Redis holds is input: each reader checks all that it uses.
 */

interface Body {
  value: Fetched;
  freshMs: number;
  fetchId: string;
}

/** An id, or the name of a provider: it can stand in a response header. */
const NAME = /^[\w-]{1,100}$/;
/**
 * Ages are rounded when an entry is written and read, in milliseconds. Doubled: nothing that a user
 * sees.
 */
const ROUNDING_MS = 1000;

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
  const staleUntil = now + lifeMs;
  const freshUntil = staleUntil - Number(stale);
  const fetchedAt = freshUntil - freshMs;
  if (fetchedAt > now + ROUNDING_MS) return undefined;
  return { value, fetchId, fetchedAt, freshUntil, staleUntil };
}

/** Whether a value is a time in milliseconds that a header can tell in digits. */
export function isDuration(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1e15;
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
  if (!isObject(value)) return false;
  const { kind, provider, weather, point } = value;
  if (typeof provider !== 'string' || !NAME.test(provider) || provider in {}) return false;
  if (kind === 'weather') return isWeather(weather);
  return kind === 'geocode' && (point === null || isPoint(point));
}

/** Whether a value is a provider's weather. */
export function isWeather(weather: unknown): weather is Weather {
  return (
    isObject(weather) &&
    implausibleField(weather) === undefined &&
    isCondition(weather['condition']) &&
    // Absent where the provider did not say it.
    (weather['is_day'] === undefined || typeof weather['is_day'] === 'boolean')
  );
}

/** Whether a value is a point on the earth. */
export function isPoint(point: unknown): point is Point {
  if (!isObject(point)) return false;
  const { latitude, longitude } = point;
  return isWithin(latitude, 90) && isWithin(longitude, 180);
}

const isWithin = (degrees: unknown, most: number) =>
  typeof degrees === 'number' && Math.abs(degrees) <= most;

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
