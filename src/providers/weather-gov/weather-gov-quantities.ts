import Joi from 'joi';
import { maybe, objectOf, type Validated } from '../../upstream/schema.js';
import type { Maybe } from '../../weather/types.js';
import { KMH_PER_MS, maybeNumber, maybeText, sameSchema } from '../weather-values.js';

export const NAME = 'weather-gov';

/** A value, or a range of values, with its unit. */
const value = objectOf({
  ...sameSchema(['value', 'minValue', 'maxValue'], maybeNumber),
  // Such as `wmoUnit:degC`.
  unitCode: maybeText,
});
type Measured = Validated<typeof value>;
export const measured = maybe(value);

/**
 * A temperature or a wind speed: an object, or in a plain form, which is deprecated
 * (https://www.weather.gov/documentation/services-web-api). Both forms are read.
 */
type Reported = Maybe<number | string | Measured>;
const notEmpty = maybe(value.min(1));
/** A number in the unit of its period, or an object. */
export const temperature = Joi.alternatives<Reported>(maybeNumber, notEmpty);
/** Words, such as `5 to 10 mph`, or an object. */
export const wind = Joi.alternatives<Reported>(Joi.string().max(100).allow(''), notEmpty);

type Units = ReadonlyMap<string, (value: number) => number>;
const units = (conversions: Record<string, (value: number) => number>): Units =>
  new Map(Object.entries(conversions));
const unchanged = (value: number) => value;
const fahrenheit = (value: number) => ((value - 32) * 5) / 9;

/**
 * The conversions of the known units, without the prefix of their codes, to each unit of the
 * contract.
 */
export const UNITS = {
  celsius: units({ degC: unchanged, C: unchanged, degF: fahrenheit, F: fahrenheit }),
  percent: units({ percent: unchanged }),
  kmh: units({
    'km_h-1': unchanged,
    'km/h': unchanged,
    'm_s-1': (value) => value * KMH_PER_MS,
    mph: (value) => value * 1.609344,
  }),
};

const RANGE = /^(?:(\d+) to )?(\d+) (mph|km\/h)$/;

/**
 * A value in the unit of the contract. Of a range, it is the upper end: of wind, the service calls
 * it the maximum prevailing one.
 * @param units the units that are known
 * @param plainUnit the unit of a value that does not name its own
 * @returns undefined if the value is missing, or is in another unit
 */
export function valueIn(
  units: Units,
  reported: Reported,
  plainUnit?: Maybe<string>,
): number | undefined {
  if (typeof reported === 'string') {
    const [, low = '0', high = '', unit = ''] = RANGE.exec(reported) ?? [];
    return units.get(unit)?.(Math.max(Number(low), Number(high)));
  }
  const {
    value,
    minValue,
    maxValue,
    unitCode: code,
  } = typeof reported === 'object' ? (reported ?? {}) : { value: reported };
  const number = value ?? maxValue ?? minValue;
  // The code of the unit of a period can have a prefix, too.
  const unit = [code, plainUnit].find(Boolean)?.replace(/^\w+:/, '') ?? '';
  return number == null ? undefined : units.get(unit)?.(number);
}

const COMPASS = 'N NNE NE ENE E ESE SE SSE S SSW SW WSW W WNW NW NNW'.split(' ');

/** The degrees of one of the sixteen points of the compass; undefined for any other text. */
export function degreesOfCompass(point: Maybe<string>): number | undefined {
  const index = COMPASS.indexOf(point ?? '');
  return index < 0 ? undefined : (index * 360) / COMPASS.length;
}
