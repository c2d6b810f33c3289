import Joi from 'joi';
import { atMost } from '../../upstream/schema.js';
import { bounded } from '../../weather/quantities.js';
import type { Maybe } from '../../weather/types.js';
import { instantOfSeconds, kmhFromMs, maybeNumber } from '../weather-values.js';
import { codeOfId, isWet } from './openweathermap-conditions.js';

/** Millimeters of water in one hour and in three hours. */
interface Amounts {
  '1h'?: Maybe<number>;
  '3h'?: Maybe<number>;
}

/** The weather at a time: the current one, or an item of the forecast. */
export interface Item {
  /** Seconds since the Unix epoch. */
  dt?: Maybe<number>;
  /** Several conditions at once are possible. The first is the main one. */
  weather?: Maybe<{ id?: Maybe<number> }[]>;
  /** `pressure` is at sea level. */
  main: Partial<Record<'temp' | 'feels_like' | 'humidity' | 'pressure', Maybe<number>>>;
  /** Meters per second, and degrees. */
  wind?: Maybe<Partial<Record<'speed' | 'deg' | 'gust', Maybe<number>>>>;
  /** In current weather, these are amounts per hour. In the forecast, they are those of the three hours before `dt`. */
  rain?: Maybe<Amounts>;
  snow?: Maybe<Amounts>;
}

const amounts = Joi.object({ '1h': maybeNumber, '3h': maybeNumber }).allow(null);
const numbers = (...names: string[]) =>
  Joi.object(Object.fromEntries(names.map((name) => [name, maybeNumber])));

export const item = {
  dt: maybeNumber,
  weather: atMost(20, Joi.array().items(numbers('id'))).allow(null),
  main: numbers('temp', 'feels_like', 'humidity', 'pressure').required(),
  wind: numbers('speed', 'deg', 'gust').allow(null),
  rain: amounts,
  snow: amounts,
};

/** The status in a body: a number in current weather, and a text in the forecast. */
export const cod = Joi.valid(200, '200').required();

/** The values of current weather and of an item. @param period that of the amounts of precipitation */
export function valuesOf(item: Item, period: keyof Amounts) {
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
  period: keyof Amounts,
): number | undefined {
  const reported = [rain, snow].filter((each) => each != null);
  if (reported.length === 0 && id != null && isWet(id)) return undefined;
  const parts = reported.filter((each) => Object.keys(each).length > 0);
  const known = parts.flatMap((each) => bounded('precipitation', each[period]) ?? []);
  if (known.length < parts.length) return undefined;
  return known.reduce((sum, amount) => sum + amount, 0);
}
