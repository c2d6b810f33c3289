import { isPossible } from './quantities.js';
import type { Weather } from './types.js';

/** The numbers that current weather always has. */
const REQUIRED = ['temperature', 'humidity', 'wind_speed'] as const;

/** Whether a value is a temperature in degrees Celsius that is possible on Earth. */
export function isPlausibleTemperature(value: unknown): value is number {
  return isPossible('temperature', value);
}

/** The first field whose value is not a number, or is impossible on Earth; undefined if all values are plausible. */
export function implausibleField(
  weather: Readonly<Record<string, unknown>> | Weather,
): (typeof REQUIRED)[number] | undefined {
  return REQUIRED.find((name) => !isPossible(name, weather[name]));
}
