import Joi from 'joi';
import { UpstreamError } from '../errors.js';
import { implausibleField } from '../weather/plausible.js';
import type { Point, Weather } from '../weather/types.js';

/** A provider's numbers, already in the units of the contract. */
export interface RawWeather {
  /** Degrees Celsius. */
  temperature: number;
  /** Per cent; some providers give decimals. */
  humidity: number;
  /** Kilometres per hour. */
  windSpeed: number;
  condition: string;
  /** Whether the sun is up, where the provider says it. */
  isDay?: boolean | undefined;
}

const SECONDS_PER_HOUR = 3600;

/** A value that must be there, as a finite number. None is ever filled in. */
export const finite = Joi.number().required();

/** Metres per second → kilometres per hour. */
export function kmhFromMs(metresPerSecond: number): number {
  return (metresPerSecond * SECONDS_PER_HOUR) / 1000;
}

/** Decimal degrees as providers want them in a URL: at most four decimals, no exponent. */
export function degrees({ latitude, longitude }: Point): { latitude: string; longitude: string } {
  const text = (value: number) => String(Number(value.toFixed(4)));
  return { latitude: text(latitude), longitude: text(longitude) };
}

/**
 * Rounds as the public contract wants it.
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

/** Adding 0 turns the -0 that rounding leaves into 0. */
function wholeNumber(value: number): number {
  return Math.round(value) + 0;
}

function oneDecimal(value: number): number {
  return Math.round(value * 10) / 10 + 0;
}
