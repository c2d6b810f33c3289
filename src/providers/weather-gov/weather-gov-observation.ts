import Joi from 'joi';
import { UpstreamError } from '../../errors.js';
import {
  instantOf,
  KMH_PER_MS,
  maybeNumber,
  maybeText,
  type RawWeather,
} from '../weather-values.js';
import { readIcon } from './weather-gov-icons.js';
import type { Maybe } from '../../weather/types.js';

interface Measured {
  value?: Maybe<number>;
  unitCode?: Maybe<string>;
  /** The result of MADIS quality control (https://madis-data.cprk.ncep.noaa.gov/doc/qc_info.txt). */
  qualityControl?: Maybe<string>;
}

/** Any value of an observation may be null. */
export interface Observation {
  properties: {
    timestamp: string;
    textDescription?: Maybe<string>;
    icon?: Maybe<string>;
    temperature?: Maybe<Measured>;
    relativeHumidity?: Maybe<Measured>;
    windSpeed?: Maybe<Measured>;
  };
}

const measured = Joi.object({
  value: maybeNumber,
  unitCode: maybeText,
  qualityControl: maybeText,
}).allow(null);

export const OBSERVATION = Joi.object<Observation>({
  properties: Joi.object({
    timestamp: Joi.string().isoDate().required(),
    textDescription: maybeText,
    icon: maybeText,
    temperature: measured,
    relativeHumidity: measured,
    windSpeed: measured,
  }).required(),
});

/** Failed a check, and rejected by hand. */
const REJECTED = ['X', 'B'];

/**
 * The current weather of an observation.
 * @throws UpstreamError (`bad_answer`) if a value is in an unknown unit
 */
export function weatherOf(upstream: string, { properties }: Observation): RawWeather {
  const { timestamp, icon, textDescription, temperature, relativeHumidity, windSpeed } = properties;
  /** @param units the factor by which a number in each known unit is multiplied */
  function inUnit(measured: Maybe<Measured>, units: Record<string, number>): number | undefined {
    const { value, unitCode, qualityControl } = measured ?? {};
    if (value == null || REJECTED.includes(qualityControl ?? '')) return undefined;
    const factor = units[unitCode ?? ''];
    if (factor !== undefined) return value * factor;
    throw new UpstreamError(upstream, 'bad_answer', 'a value is in an unknown unit');
  }
  return {
    at: instantOf(timestamp),
    temperature: inUnit(temperature, { 'wmoUnit:degC': 1 }),
    humidity: inUnit(relativeHumidity, { 'wmoUnit:percent': 1 }),
    windSpeed: inUnit(windSpeed, { 'wmoUnit:km_h-1': 1, 'wmoUnit:m_s-1': KMH_PER_MS }),
    ...(icon ? readIcon(icon, textDescription ?? '') : { condition: undefined }),
  };
}
