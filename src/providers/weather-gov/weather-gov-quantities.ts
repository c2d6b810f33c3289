import Joi from 'joi';
import type { Maybe } from '../../weather/types.js';
import { KMH_PER_MS, maybeNumber } from '../weather-values.js';

/**
 * A value with its unit, or a range of values. The plain forms of temperature and wind speed are deprecated
 * (https://www.weather.gov/documentation/services-web-api), so both forms are read.
 */
export interface QuantitativeValue {
  unitCode: string;
  value?: Maybe<number>;
  maxValue?: Maybe<number>;
}

/** A number, or an object with its unit. */
export const quantity = Joi.object({
  unitCode: Joi.string().allow('').required(),
  value: maybeNumber,
  maxValue: maybeNumber,
});

/** Wind speed in words, such as `5 to 10 mph`, or an object. */
export type Wind = Maybe<string | QuantitativeValue>;

export const wind = Joi.alternatives(Joi.string().max(100).allow(''), quantity, Joi.valid(null));

/** Kilometers per hour in each unit. */
const KMH: Record<string, number> = {
  mph: 1.609344,
  'km/h': 1,
  'wmoUnit:km_h-1': 1,
  'wmoUnit:m_s-1': KMH_PER_MS,
};

const RANGE = /^(?:(\d+) to )?(\d+) (mph|km\/h)$/;

/**
 * The wind speed in kilometers per hour. Of a range, it is the upper end: the service calls it the maximum prevailing wind.
 * @returns undefined if it is missing, or cannot be read
 */
export function windSpeedOf(input: Wind): number | undefined {
  if (input == null) return undefined;
  if (typeof input === 'string') {
    const [, low = '0', high = '', unit = ''] = RANGE.exec(input) ?? [];
    const factor = KMH[unit];
    return factor === undefined ? undefined : Math.max(Number(low), Number(high)) * factor;
  }
  const value = input.value ?? input.maxValue;
  const factor = KMH[input.unitCode];
  return value == null || factor === undefined ? undefined : value * factor;
}

const COMPASS = 'N NNE NE ENE E ESE SE SSE S SSW SW WSW W WNW NW NNW'.split(' ');

/** The degrees of one of the sixteen points of the compass; undefined for any other text. */
export function degreesOfCompass(point: Maybe<string>): number | undefined {
  const index = COMPASS.indexOf(point ?? '');
  return index < 0 ? undefined : (index * 360) / COMPASS.length;
}

/** A temperature as a number in the unit of its period, or as an object. */
export type Temperature = Maybe<number | QuantitativeValue>;

export const temperature = Joi.alternatives(maybeNumber, quantity);

/** Degrees Celsius; undefined if the temperature is missing, or its unit is unknown. */
export function celsiusOf(input: Temperature, periodUnit: Maybe<string>): number | undefined {
  const isPlain = typeof input === 'number';
  const value = isPlain ? input : input?.value;
  const unit = isPlain ? periodUnit : input?.unitCode;
  if (value == null) return undefined;
  if (unit === 'C' || unit === 'wmoUnit:degC') return value;
  return unit === 'F' || unit === 'wmoUnit:degF' ? ((value - 32) * 5) / 9 : undefined;
}
