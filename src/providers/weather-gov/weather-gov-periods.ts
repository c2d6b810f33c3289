import Joi from 'joi';
import { atMost } from '../../upstream/schema.js';
import { DAY_MS } from '../../weather/durations.js';
import type { Point } from '../../weather/types.js';
import { highest, mostSevere, type RawDay } from '../daily-values.js';
import { sunTimes } from '../sun-times.js';
import { probability } from '../weather-values.js';
import { conditionsOfIcon } from './weather-gov-icons.js';

/** The daytime or the night of a date. The first period can be shorter than twelve hours. */
interface Period {
  /** Local time with its offset from UTC, such as `2026-11-24T06:00:00-08:00`. */
  startTime: string;
  isDaytime: boolean;
  /** The maximum of a daytime, and the minimum of a night. */
  temperature?: number | null;
  temperatureUnit: 'F' | 'C';
  /** Percent. */
  probabilityOfPrecipitation?: { value?: number | null } | null;
  icon?: string | null;
  shortForecast?: string | null;
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
          temperature: Joi.number().allow(null),
          temperatureUnit: Joi.valid('F', 'C').required(),
          probabilityOfPrecipitation: Joi.object({ value: probability }).allow(null),
          icon: Joi.string().allow('', null),
          shortForecast: Joi.string().allow('', null),
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
export function daysOfPeriods(
  { properties }: PeriodsResponse,
  point: Point,
  timeZone: string,
): RawDay[] {
  const byDate = new Map<string, Period[]>();
  for (const period of properties.periods) {
    const date = dateOf(period);
    byDate.set(date, [...(byDate.get(date) ?? []), period]);
  }
  return [...byDate].map(([date, periods]) => {
    const probabilities = periods.flatMap((each) => each.probabilityOfPrecipitation?.value ?? []);
    return {
      date,
      min: celsius(periods.find(({ isDaytime }) => !isDaytime)),
      max: celsius(periods.find(({ isDaytime }) => isDaytime)),
      condition: mostSevere(periods.flatMap(conditionsOf)),
      precipitationProbability: highest(probabilities),
      ...sunTimes(point, timeZone, date),
    };
  });
}

/** The local date on which the daytime or the night of a period starts. */
function dateOf({ startTime, isDaytime }: Period): string {
  const date = startTime.slice(0, 10);
  const isAfterMidnight = !isDaytime && Number(startTime.slice(11, 13)) < FIRST_HOUR;
  if (!isAfterMidnight) return date;
  return new Date(Date.parse(date) - DAY_MS).toISOString().slice(0, 10);
}

function conditionsOf({ icon, shortForecast }: Period): string[] {
  return icon ? conditionsOfIcon(icon, shortForecast ?? '') : [];
}

function celsius(period: Period | undefined): number | undefined {
  if (period?.temperature == null) return undefined;
  const { temperature, temperatureUnit } = period;
  return temperatureUnit === 'C' ? temperature : ((temperature - 32) * 5) / 9;
}
