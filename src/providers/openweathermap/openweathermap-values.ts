import Joi from 'joi';
import { atMost } from '../../upstream/schema.js';
import { bounded } from '../../weather/plausible.js';
import type { Maybe } from '../../weather/types.js';
import { maybeNumber } from '../weather-values.js';
import { conditionOfId } from './openweathermap-conditions.js';

/** The parts that current weather and forecast have in common. */

export interface Condition {
  id?: Maybe<number>;
}

/** Several conditions at once are possible. The first is the main one. */
export const weather = atMost(20, Joi.array().items(Joi.object({ id: maybeNumber }))).allow(null);

/** The text of the main condition; undefined if there is none. */
export function conditionOf(weather: Maybe<Condition[]>): string | undefined {
  const id = weather?.[0]?.id;
  return id == null ? undefined : conditionOfId(id);
}

/** Meters per second, and degrees. */
export interface Wind {
  speed?: Maybe<number>;
  deg?: Maybe<number>;
  gust?: Maybe<number>;
}

export const wind = Joi.object({ speed: maybeNumber, deg: maybeNumber, gust: maybeNumber }).allow(
  null,
);

/** Millimeters of water in one hour and in three hours. */
interface Amounts {
  '1h'?: Maybe<number>;
  '3h'?: Maybe<number>;
}

/** A response has no rain and no snow in dry weather. */
export interface Precipitation {
  rain?: Maybe<Amounts>;
  snow?: Maybe<Amounts>;
}

const amounts = Joi.object({ '1h': maybeNumber, '3h': maybeNumber }).allow(null);
export const precipitation = { rain: amounts, snow: amounts };

/**
 * The sum of rain and snow in millimeters. The service leaves out what there is none of
 * (https://openweathermap.org/current), so this is 0.
 * @returns undefined if an amount that is there lacks the period, or is implausible
 */
export function precipitationOf(
  { rain, snow }: Precipitation,
  period: keyof Amounts,
): number | undefined {
  const parts = [rain, snow].filter((amount) => amount != null);
  const known = parts.flatMap((amount) => bounded('precipitation', amount[period]) ?? []);
  if (known.length < parts.length) return undefined;
  return known.reduce((sum, amount) => sum + amount, 0);
}

/** The status in a body: a number in current weather, and a text in the forecast. */
export const cod = Joi.valid(200, '200').required();
