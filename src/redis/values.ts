import { isCondition } from '../weather/conditions.js';
import { implausibleField } from '../weather/plausible.js';
import type { Point, Weather } from '../weather/types.js';

/** What Redis holds is input: each reader checks all that it uses, by these. */

/** The object that a JSON text holds; undefined when it is no JSON or no object. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a value is a time in milliseconds that a header can tell in digits. */
export function isDuration(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1e15;
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
