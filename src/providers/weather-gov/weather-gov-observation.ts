import Joi from 'joi';
import { UpstreamError } from '../../errors.js';
import { HOUR_MS } from '../../weather/durations.js';
import type { Weather } from '../../weather/types.js';
import { kmhFromMs, toWeather } from '../weather-values.js';
import { readIcon } from './weather-gov-icons.js';

interface Measured {
  value?: number | null;
  unitCode: string;
}

/** Any value of an observation may be null. */
export interface Observation {
  properties: {
    timestamp: string;
    textDescription?: string | null;
    icon?: string | null;
    temperature: Measured;
    relativeHumidity: Measured;
    windSpeed: Measured;
  };
}

const measured = Joi.object({
  value: Joi.number().allow(null),
  unitCode: Joi.string().required(),
}).required();

export const OBSERVATION = Joi.object<Observation>({
  properties: Joi.object({
    timestamp: Joi.string().isoDate().required(),
    textDescription: Joi.string().allow('', null),
    icon: Joi.string().allow('', null),
    temperature: measured,
    relativeHumidity: measured,
    windSpeed: measured,
  }).required(),
});

/** Maximum age of an observation in milliseconds. Stations observe at least once an hour. */
const MAX_AGE_MS = 2 * HOUR_MS;

/**
 * The current weather of an observation.
 * @param now milliseconds since the Unix epoch
 * @throws UpstreamError (`bad_answer`) if the observation is old, or lacks a value
 */
export function weatherOf(upstream: string, { properties }: Observation, now: number): Weather {
  const { timestamp, icon, textDescription } = properties;
  if (now - Date.parse(timestamp) > MAX_AGE_MS || !icon) {
    throw new UpstreamError(upstream, 'bad_answer', 'the observation is old or names no sky');
  }
  /** @param units the factor by which a number in each known unit is multiplied */
  function inUnit({ value, unitCode }: Measured, units: Record<string, number>): number {
    const factor = units[unitCode];
    if (value == null || factor === undefined) {
      throw new UpstreamError(upstream, 'bad_answer', 'the observation lacks a value');
    }
    return value * factor;
  }
  return toWeather(upstream, {
    temperature: inUnit(properties.temperature, { 'wmoUnit:degC': 1 }),
    humidity: inUnit(properties.relativeHumidity, { 'wmoUnit:percent': 1 }),
    windSpeed: inUnit(properties.windSpeed, {
      'wmoUnit:km_h-1': 1,
      'wmoUnit:m_s-1': kmhFromMs(1),
    }),
    ...readIcon(icon, textDescription ?? ''),
  });
}
