import Joi from 'joi';
import { isObject } from '../../base/is-object.js';
import { atMost, maybe, objectOf, type Validated } from '../../upstream/schema.js';
import { UNKNOWN_CODE } from '../../weather/conditions/conditions.js';
import { HOUR_MS } from '../../weather/time/durations.js';
import type { Maybe } from '../../weather/types.js';
import { readSteps } from '../steps.js';
import { feelsLikeOf, kmhFromMs, maybeText, renameValues, sameSchema } from '../weather-values.js';

export const NAME = 'met-norway';

/**
 * The values at the instant of a step, by contract name. Gusts are absent outside the Nordic
 * countries and after some days. Visibility is absent. The UV index is for a clear sky.
 */
const INSTANT = {
  temperature: 'air_temperature',
  humidity: 'relative_humidity',
  wind_speed: 'wind_speed',
  wind_gusts: 'wind_speed_of_gust',
  wind_direction: 'wind_from_direction',
  pressure: 'air_pressure_at_sea_level',
  cloud_cover: 'cloud_area_fraction',
  dew_point: 'dew_point_temperature',
} as const;

/** Values of a period. Some areas have no probabilities. Only six-hour periods have extremes. */
const PERIOD = [
  'air_temperature_min',
  'air_temperature_max',
  'probability_of_precipitation',
  'precipitation_amount',
] as const;

/** A series of ten days has about ninety steps: one per hour at first, then one per six hours. */
const MAX_STEPS = 500;
/** Maximum number of hours in a period. */
export const LONGEST_PERIOD_HOURS = 12;

/** The steps are not validated: only those that are used are. */
export const SERIES = objectOf({
  properties: objectOf({ timeseries: atMost(MAX_STEPS, Joi.any<unknown>()).required() }).required(),
});
export type TimeSeries = Validated<typeof SERIES>;

/**
 * A schema for an object with numbers that may be missing. Joi's own schema takes four times as
 * long for objects with many other members, and a series has hundreds of objects.
 */
const numbers = <Name extends string>(names: readonly Name[]) =>
  Joi.any<Record<Name, Maybe<number>>>().custom((value: unknown) => {
    if (!isObject(value)) throw new Error('not an object');
    const found = names.map((name) => [name, value[name]] as const);
    const wrong = found.find(([, number]) => number != null && typeof number !== 'number');
    if (wrong) throw new Error(`"${wrong[0]}" must be a number`);
    return Object.fromEntries(found);
  });

const period = maybe(
  objectOf({
    summary: maybe(objectOf({ symbol_code: maybeText })),
    details: maybe(numbers(PERIOD)),
  }),
);

const STEP = objectOf({
  time: Joi.string().required(),
  data: objectOf({
    instant: objectOf({ details: numbers(Object.values(INSTANT)).required() }).required(),
    ...sameSchema(['next_1_hours', 'next_6_hours', 'next_12_hours'], period),
  }).required(),
});
type Step = Validated<typeof STEP>;

/** The steps of a series between two instants, as `readSteps` returns them. */
export const stepsOf = ({ properties }: TimeSeries, from: number, to: number) =>
  readSteps(NAME, properties.timeseries, { timeName: 'time', schema: STEP, from, to });

/** The values at the instant of a step. The service has no apparent temperature. */
export function instantValues({ data }: Step) {
  const { details } = data.instant;
  const values = renameValues(INSTANT, (name) => details[name]);
  const { wind_speed: speed, wind_gusts: gusts } = values;
  const kmh = { wind_speed: kmhFromMs(speed), wind_gusts: kmhFromMs(gusts) };
  return { ...values, ...kmh, feels_like: feelsLikeOf({ ...values, ...kmh }) };
}

/** The shortest period after a step that has a symbol; undefined if none has one. */
export function shortestPeriod({ data }: Step) {
  const periods = [
    { period: data.next_1_hours, hours: 1 },
    { period: data.next_6_hours, hours: 6 },
    { period: data.next_12_hours, hours: LONGEST_PERIOD_HOURS },
  ];
  for (const { period, hours } of periods) {
    const symbol = period?.summary?.symbol_code;
    if (!period || !symbol) continue;
    const details: Partial<NonNullable<typeof period.details>> = period.details ?? {};
    return {
      lengthMs: hours * HOUR_MS,
      extremes: [details.air_temperature_min, details.air_temperature_max],
      values: {
        weather_code: codeOfSymbol(symbol),
        precipitation: details.precipitation_amount,
        precipitation_probability: details.probability_of_precipitation,
      },
    };
  }
  return undefined;
}

const SUFFIX = /_(?:day|night|polartwilight)$/;
const THUNDERSTORM = 95;

/**
 * The nearest WMO code of each symbol, without thunder or suffix (`_day`, `_night`,
 * `_polartwilight`): schemas/METJSONForecast.json in metno/weatherapi-docs. Sleet counts as snow.
 */
const WMO_CODES: ReadonlyMap<string, number> = new Map([
  ['clearsky', 0],
  ['fair', 1],
  ['partlycloudy', 2],
  ['cloudy', 3],
  ['fog', 45],
  ['lightrain', 61],
  ['rain', 63],
  ['heavyrain', 65],
  ['lightrainshowers', 80],
  ['rainshowers', 81],
  ['heavyrainshowers', 82],
  ['lightsleet', 71],
  ['sleet', 73],
  ['heavysleet', 75],
  ['lightsleetshowers', 85],
  ['sleetshowers', 85],
  ['heavysleetshowers', 86],
  ['lightsnow', 71],
  ['snow', 73],
  ['heavysnow', 75],
  ['lightsnowshowers', 85],
  ['snowshowers', 85],
  ['heavysnowshowers', 86],
]);

/** The WMO code of a symbol such as `lightrainshowers_night`; `UNKNOWN_CODE` if it is unknown. */
export function codeOfSymbol(symbol: string): number {
  const name = symbol.replace(SUFFIX, '');
  return name.endsWith('andthunder') ? THUNDERSTORM : (WMO_CODES.get(name) ?? UNKNOWN_CODE);
}
