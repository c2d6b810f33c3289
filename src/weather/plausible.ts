import type { Weather } from './types.js';

/** Wider than any record on Earth. A number outside marks a missing value. */
const BOUNDS = [
  { field: 'temperature', least: -130, most: 80 },
  { field: 'humidity', least: 0, most: 100 },
  { field: 'wind_speed', least: 0, most: 600 },
] as const;

/** The first field whose value is not a number, or is impossible on Earth; undefined if all values are plausible. */
export function implausibleField(
  weather: Readonly<Record<string, unknown>> | Weather,
): (typeof BOUNDS)[number]['field'] | undefined {
  return BOUNDS.find(({ field, least, most }) => {
    const value = weather[field];
    return !(typeof value === 'number' && value >= least && value <= most);
  })?.field;
}
