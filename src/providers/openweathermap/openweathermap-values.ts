import Joi from 'joi';
import { atMost, maybe, objectOf, type ObjectOf } from '../../upstream/schema.js';
import { UNKNOWN_CODE } from '../../weather/conditions/conditions.js';
import { plausibleValue } from '../../weather/kinds/quantities.js';
import type { Maybe } from '../../weather/types.js';
import { instantOfSeconds, kmhFromMs, maybeNumber, sameSchema } from '../weather-values.js';

/** Millimeters of water in one hour and in three hours. */
const AMOUNTS = ['1h', '3h'] as const;
const amounts = maybe(objectOf(sameSchema(AMOUNTS, maybeNumber)));

/** The weather at a time: the current one, or an item of the forecast. */
export const item = {
  /** Seconds since the Unix epoch. */
  dt: maybeNumber,
  /** Several conditions at once are possible. The first is the main one. */
  weather: maybe(atMost(20, objectOf({ id: maybeNumber }))),
  /** `pressure` is at sea level. */
  main: objectOf(
    sameSchema(['temp', 'feels_like', 'humidity', 'pressure'], maybeNumber),
  ).required(),
  /** Meters per second, and degrees. */
  wind: maybe(objectOf(sameSchema(['speed', 'deg', 'gust'], maybeNumber))),
  /** Amounts per hour in current weather, or for the three hours before `dt` in the forecast. */
  rain: amounts,
  snow: amounts,
};
export type Item = ObjectOf<typeof item>;

/** The status in a body: a number in current weather, and a text in the forecast. */
export const cod = Joi.valid(200, '200').required();

/** Values of current weather and of an item. @param period of the amounts of precipitation */
export function valuesOf(item: Item, period: (typeof AMOUNTS)[number]) {
  const { main, wind, weather } = item;
  const id = weather?.[0]?.id;
  return {
    time: instantOfSeconds(item.dt),
    temperature: main.temp,
    feels_like: main.feels_like,
    humidity: main.humidity,
    pressure: main.pressure,
    weather_code: id == null ? undefined : codeOfId(id),
    precipitation: precipitationOf(item, id, period),
    wind_speed: kmhFromMs(wind?.speed),
    wind_direction: wind?.deg,
    wind_gusts: kmhFromMs(wind?.gust),
  };
}

/**
 * The sum of rain and snow in millimeters. In dry weather, both are absent, or an empty object
 * (https://openweathermap.org/current). In wet weather, the amount is unknown if both are absent.
 * @returns undefined if the amount is unknown, or a part is implausible or of another period
 */
function precipitationOf(
  { rain, snow }: Item,
  id: Maybe<number>,
  period: (typeof AMOUNTS)[number],
): number | undefined {
  const reported = [rain, snow].filter((part) => part != null);
  if (reported.length === 0 && id != null && isWet(id)) return undefined;
  const parts = reported.filter((part) => Object.keys(part).length > 0);
  const known = parts.flatMap((part) => plausibleValue('precipitation', part[period]) ?? []);
  if (known.length < parts.length) return undefined;
  return known.reduce((sum, amount) => sum + amount, 0);
}

/** WMO codes by condition ID of OpenWeatherMap (https://openweathermap.org/weather-conditions). */
const WMO_CODES: ReadonlyMap<number, number> = new Map([
  ...codes(95, 200, 201, 202, 210, 211, 212, 221, 230, 231, 232),
  ...codes(51, 300, 310),
  ...codes(53, 301, 311, 313, 321),
  ...codes(55, 302, 312, 314),
  ...codes(61, 500),
  ...codes(63, 501),
  ...codes(65, 502, 503, 504),
  ...codes(66, 511),
  ...codes(80, 520),
  ...codes(81, 521, 531),
  ...codes(82, 522),
  ...codes(71, 600, 611, 612, 615),
  ...codes(73, 601, 613, 616),
  ...codes(75, 602),
  ...codes(85, 620),
  ...codes(86, 621, 622),
  // Mist and fog. Smoke, haze, dust, sand, and ash say nothing of the sky.
  ...codes(45, 701, 741),
  ...codes(95, 771, 781),
  ...codes(0, 800),
  ...codes(1, 801),
  ...codes(2, 802),
  ...codes(3, 803, 804),
]);

function codes(wmo: number, ...ids: number[]): [number, number][] {
  return ids.map((id) => [id, wmo]);
}

/** The WMO code of a condition ID; `UNKNOWN_CODE` for an ID that is not in the list. */
export const codeOfId = (id: number): number => WMO_CODES.get(id) ?? UNKNOWN_CODE;

/** Whether a condition ID means rain, drizzle, or snow: those of thunderstorms do, too. */
const isWet = (id: number): boolean => id >= 200 && id < 700;
