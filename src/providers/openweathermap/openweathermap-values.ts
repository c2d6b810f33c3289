import Joi from 'joi';
import { atMost, maybe, objectOf, type ObjectOf } from '../../upstream/schema.js';
import { bounded } from '../../weather/kinds/quantities.js';
import type { Maybe } from '../../weather/types.js';
import { each, instantOfSeconds, kmhFromMs, maybeNumber } from '../weather-values.js';
import { codeOfId, isWet } from './openweathermap-conditions.js';

/** Millimeters of water in one hour and in three hours. */
const AMOUNTS = ['1h', '3h'] as const;
const amounts = maybe(objectOf(each(AMOUNTS, maybeNumber)));

/** The weather at a time: the current one, or an item of the forecast. */
export const item = {
  /** Seconds since the Unix epoch. */
  dt: maybeNumber,
  /** Several conditions at once are possible. The first is the main one. */
  weather: maybe(atMost(20, objectOf({ id: maybeNumber }))),
  /** `pressure` is at sea level. */
  main: objectOf(each(['temp', 'feels_like', 'humidity', 'pressure'], maybeNumber)).required(),
  /** Meters per second, and degrees. */
  wind: maybe(objectOf(each(['speed', 'deg', 'gust'], maybeNumber))),
  /** In current weather, these are amounts per hour. In the forecast, they are those of the three hours before `dt`. */
  rain: amounts,
  snow: amounts,
};
export type Item = ObjectOf<typeof item>;

/** The status in a body: a number in current weather, and a text in the forecast. */
export const cod = Joi.valid(200, '200').required();

/** The values of current weather and of an item. @param period that of the amounts of precipitation */
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
 * The sum of rain and snow in millimeters. In dry weather, the service reports neither (https://openweathermap.org/current), or
 * an empty object. If the condition is wet, and neither is reported, the amount is not known.
 * @returns undefined if the amount is not known, or a part of it is implausible or that of another period
 */
function precipitationOf(
  { rain, snow }: Item,
  id: Maybe<number>,
  period: (typeof AMOUNTS)[number],
): number | undefined {
  const reported = [rain, snow].filter((part) => part != null);
  if (reported.length === 0 && id != null && isWet(id)) return undefined;
  const parts = reported.filter((part) => Object.keys(part).length > 0);
  const known = parts.flatMap((part) => bounded('precipitation', part[period]) ?? []);
  if (known.length < parts.length) return undefined;
  return known.reduce((sum, amount) => sum + amount, 0);
}
