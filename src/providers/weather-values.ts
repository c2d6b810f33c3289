import Joi from 'joi';
import { UpstreamError } from '../errors.js';
import { implausibleField } from '../weather/plausible.js';
import type { Point, Weather } from '../weather/types.js';

export type { Maybe } from '../weather/types.js';

/** The values that a provider reports for the current weather, in the units of the contract and not rounded. */
export interface RawWeather {
  /** Degrees Celsius. */
  temperature: number;
  /** Percent. Some providers report decimals. */
  humidity: number;
  /** Kilometers per hour. */
  windSpeed: number;
  condition: string;
  /** Whether the sun is up, if the provider reports it. */
  isDay?: boolean | undefined;
}

/** A required finite number. A missing value is an error, and has no default. */
export const finite = Joi.number().required();

/** A probability of precipitation, if the provider has one. Its maximum is checked when it is rounded. */
export const probability = Joi.number().min(0).allow(null);

/** The IANA name of a time zone. */
export const timeZoneName = Joi.string().max(100);

/** Converts meters per second to kilometers per hour. */
export function kmhFromMs(metersPerSecond: number): number {
  return metersPerSecond * 3.6;
}

/** Formats decimal degrees for the URL of a provider: at most four decimals, no exponent. */
export function degrees({ latitude, longitude }: Point): { latitude: string; longitude: string } {
  const text = (value: number) => String(Number(value.toFixed(4)));
  return { latitude: text(latitude), longitude: text(longitude) };
}

/**
 * Rounds current weather as the public contract requires.
 * @throws UpstreamError (`bad_answer`) for a value that is impossible on Earth
 */
export function toWeather(upstream: string, raw: RawWeather): Weather {
  const weather: Weather = {
    temperature: oneDecimal(raw.temperature),
    condition: raw.condition,
    humidity: wholeNumber(raw.humidity),
    wind_speed: oneDecimal(raw.windSpeed),
    ...(raw.isDay === undefined ? {} : { is_day: raw.isDay }),
  };
  const field = implausibleField(weather);
  if (field === undefined) return weather;
  throw new UpstreamError(upstream, 'bad_answer', `impossible ${field}: ${weather[field]}`);
}

/** Rounds to a whole number. Adding 0 changes -0, which rounding can return, into 0. */
export function wholeNumber(value: number): number {
  return Math.round(value) + 0;
}

/** Rounds to one decimal. */
export function oneDecimal(value: number): number {
  return Math.round(value * 10) / 10 + 0;
}
