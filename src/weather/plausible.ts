import type { Weather } from './types.js';

/** Bounds that are wider than any measured record. Some services report a missing value as a number outside of them. */
const BOUNDS = [
  { field: 'temperature', least: -130, most: 80 },
  { field: 'humidity', least: 0, most: 100 },
  { field: 'wind_speed', least: 0, most: 600 },
] as const;

const [TEMPERATURE, HUMIDITY, WIND_SPEED] = BOUNDS;

/** Whether a value is a temperature in degrees Celsius that is possible on Earth. */
export function isPlausibleTemperature(value: unknown): value is number {
  return isWithin(TEMPERATURE, value);
}

/** Whether a value is a possible relative humidity in percent. */
export const isPlausibleHumidity = (value: unknown): boolean => isWithin(HUMIDITY, value);

/** Whether a value is a wind speed in km/h that is possible on Earth. */
export const isPlausibleWindSpeed = (value: unknown): boolean => isWithin(WIND_SPEED, value);

/** The first field whose value is not a number, or is impossible on Earth; undefined if all values are plausible. */
export function implausibleField(
  weather: Readonly<Record<string, unknown>> | Weather,
): (typeof BOUNDS)[number]['field'] | undefined {
  return BOUNDS.find((bounds) => !isWithin(bounds, weather[bounds.field]))?.field;
}

const isWithin = ({ least, most }: { least: number; most: number }, value: unknown) =>
  typeof value === 'number' && value >= least && value <= most;
