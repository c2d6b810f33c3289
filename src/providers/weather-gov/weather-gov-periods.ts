import Joi from 'joi';
import { atMost } from '../../upstream/schema.js';
import { addDays, isDate } from '../../weather/local-time.js';
import { plausible } from '../../weather/plausible.js';
import { highest, mostSevere, type RawDay } from '../daily-values.js';
import { maybeNumber, maybeText } from '../weather-values.js';
import { conditionsOfIcon } from './weather-gov-icons.js';
import {
  celsiusOf,
  temperature,
  wind,
  windSpeedOf,
  type Temperature,
  type Wind,
} from './weather-gov-quantities.js';
import type { Maybe } from '../../weather/types.js';

/** The daytime or the night of a date. The first period can be shorter than twelve hours. */
interface Period {
  /** Local time with its offset from UTC, such as `2026-11-24T06:00:00-08:00`. */
  startTime: string;
  isDaytime: boolean;
  /** The maximum of a daytime, and the minimum of a night. */
  temperature?: Temperature;
  temperatureUnit?: Maybe<string>;
  windSpeed?: Wind;
  /** Percent. */
  probabilityOfPrecipitation?: Maybe<{ value?: Maybe<number> }>;
  icon?: Maybe<string>;
  shortForecast?: Maybe<string>;
}

/** The response of `/gridpoints/…/forecast`. */
export interface PeriodsResponse {
  properties: { periods: Period[] };
}

/** Maximum number of periods in a response. Real responses have fourteen. */
const MAX_PERIODS = 50;

export const PERIODS = Joi.object<PeriodsResponse>({
  properties: Joi.object({
    periods: atMost(
      MAX_PERIODS,
      Joi.array().items(
        Joi.object({
          startTime: Joi.string()
            .pattern(/^\d{4}-\d\d-\d\dT\d\d:/)
            .required(),
          isDaytime: Joi.boolean().required(),
          temperature,
          temperatureUnit: Joi.valid('F', 'C', null),
          windSpeed: wind,
          probabilityOfPrecipitation: Joi.object({ value: maybeNumber }).allow(null),
          icon: maybeText,
          shortForecast: maybeText,
        }),
      ),
    ).required(),
  }).required(),
});

/** Nights start at 18:00 local time. A night period that starts before this hour began on the date before. */
const FIRST_HOUR = 6;

/**
 * Joins each daytime and the night after it to one day, as the service presents them: the minimum of a day is that of
 * the night that follows. A date without a daytime period has no maximum, and a date without a night period has no
 * minimum.
 */
export function daysOfPeriods({ properties }: PeriodsResponse): RawDay[] {
  const byDate = new Map<string, Period[]>();
  for (const period of properties.periods) {
    const date = dateOf(period);
    byDate.set(date, [...(byDate.get(date) ?? []), period]);
  }
  return [...byDate].map(([date, periods]) => {
    const probabilities = periods.flatMap(
      (each) =>
        plausible('precipitation_probability', each.probabilityOfPrecipitation?.value) ?? [],
    );
    return {
      date,
      min: celsius(periods, false),
      max: celsius(periods, true),
      condition: mostSevere(periods.flatMap(conditionsOf)),
      precipitationProbability: highest(probabilities),
      windSpeedMax: highest(periods.flatMap(({ windSpeed }) => windSpeedOf(windSpeed) ?? [])),
    };
  });
}

/** The local date on which the daytime or the night of a period starts. */
function dateOf({ startTime, isDaytime }: Period): string {
  const date = startTime.slice(0, 10);
  const isAfterMidnight = !isDaytime && Number(startTime.slice(11, 13)) < FIRST_HOUR;
  return isAfterMidnight && isDate(date) ? addDays(date, -1) : date;
}

function conditionsOf({ icon, shortForecast }: Period): string[] {
  return icon ? conditionsOfIcon(icon, shortForecast ?? '') : [];
}

/** The temperature of the first daytime or night that has one. */
function celsius(periods: Period[], ofDaytime: boolean): number | undefined {
  for (const { isDaytime, temperature, temperatureUnit } of periods) {
    const celsius = isDaytime === ofDaytime ? celsiusOf(temperature, temperatureUnit) : undefined;
    if (celsius !== undefined) return celsius;
  }
  return undefined;
}
