import Joi from 'joi';
import { atMost, objectOf, optional, validate, type Validated } from '../../upstream/schema.js';
import { UNKNOWN_CODE } from '../../weather/conditions/conditions.js';
import { addDays, isDate } from '../../weather/time/local-time.js';
import { roundedPlausibleValue } from '../../weather/kinds/quantities.js';
import { highest } from '../daily-steps.js';
import type { RawDay, RawTime } from '../kind-values.js';
import { readSteps } from '../steps.js';
import { feelsLikeOf, maybeText, sameSchema } from '../weather-values.js';
import { codeOf, codesOf } from './weather-gov-conditions.js';
import {
  degreesOfCompass,
  measured,
  NAME,
  temperature,
  UNITS,
  valueIn,
  wind,
} from './weather-gov-quantities.js';

/** An hour, or the daytime or the night of a date. The first period can be shorter than twelve hours. */
const PERIOD = objectOf({
  // Local time with its offset from UTC, such as `2026-11-24T06:00:00-08:00`.
  startTime: Joi.string()
    .pattern(/^\d{4}-\d\d-\d\dT\d\d:/)
    .max(40)
    .required(),
  isDaytime: optional<boolean>(Joi.boolean()),
  // The maximum of a daytime, and the minimum of a night.
  temperature,
  probabilityOfPrecipitation: measured,
  relativeHumidity: measured,
  windSpeed: wind,
  windGust: wind,
  ...sameSchema(['temperatureUnit', 'windDirection', 'icon', 'shortForecast'], maybeText),
});
type Period = Validated<typeof PERIOD>;
const percent = (reported: Period['relativeHumidity']) =>
  valueIn(UNITS.percent, reported, 'percent');
const HALF_DAY = PERIOD.fork(['isDaytime'], (schema) => schema.required());

/** Real responses have 14 half days or 156 hours. */
const MAX_PERIODS = 300;

/** A response of `/gridpoints/…/forecast` or of `/gridpoints/…/forecast/hourly`. Only the periods that are used are validated. */
export const PERIODS = objectOf({
  properties: objectOf({ periods: atMost(MAX_PERIODS, Joi.any<unknown>()).required() }).required(),
});
type PeriodsResponse = Validated<typeof PERIODS>;

/**
 * The hours of a response between two instants. The provider has no precipitation amount, no clouds, and usually no gusts here. The
 * apparent temperature is only in another response, so it is computed by the provider's formulas.
 * @throws UpstreamError as `readSteps`
 */
export function hoursOfPeriods(
  { properties }: PeriodsResponse,
  from: number,
  to: number,
): RawTime[] {
  const within = { timeName: 'startTime', schema: PERIOD, from, to };
  return readSteps(NAME, properties.periods, within).map(({ time, step: period }) => {
    const values = {
      temperature: valueIn(UNITS.celsius, period.temperature, period.temperatureUnit),
      humidity: percent(period.relativeHumidity),
      precipitation_probability: percent(period.probabilityOfPrecipitation),
      wind_speed: valueIn(UNITS.kmh, period.windSpeed),
      wind_gusts: valueIn(UNITS.kmh, period.windGust),
      wind_direction: degreesOfCompass(period.windDirection),
      weather_code: codeOf(period.icon, period.shortForecast),
    };
    return { time, ...values, feels_like: feelsLikeOf(values) };
  });
}

/** Nights start at 18:00 local time. A night period that starts before this hour began on the date before. */
const FIRST_HOUR = 6;

/**
 * Joins the periods of each date. The maximum of a date is that of its daytime. The minimum is that of the night that
 * ends on the morning of the date or, if the response lacks that night, of the night that follows. A date without a daytime period has no maximum.
 * @throws UpstreamError (`bad_answer`) if a period does not match the schema
 */
export function daysOfPeriods({ properties }: PeriodsResponse): RawDay[] {
  const byDate = new Map<string, Period[]>();
  for (const unvalidated of properties.periods) {
    const period = validate(NAME, HALF_DAY, unvalidated);
    const date = dateOf(period);
    byDate.set(date, [...(byDate.get(date) ?? []), period]);
  }
  return Array.from(byDate, ([date, ofDate]) => {
    const before = isDate(date) ? byDate.get(addDays(date, -1)) : undefined;
    // An implausible value counts as missing.
    const probabilities = ofDate.flatMap(
      ({ probabilityOfPrecipitation: probability }) =>
        roundedPlausibleValue('precipitation_probability', percent(probability)) ?? [],
    );
    return {
      date,
      temperature_min: celsius(before ?? [], false) ?? celsius(ofDate, false),
      temperature_max: celsius(ofDate, true),
      weather_code: severest(ofDate),
      precipitation_probability: highest(probabilities),
      wind_speed_max: highest(
        ofDate.flatMap(({ windSpeed }) => valueIn(UNITS.kmh, windSpeed) ?? []),
      ),
    };
  });
}

/** The local date on which the daytime or the night of a period starts. */
function dateOf({ startTime, isDaytime }: Period): string {
  const date = startTime.slice(0, 10);
  const isAfterMidnight = !isDaytime && Number(startTime.slice(11, 13)) < FIRST_HOUR;
  return isAfterMidnight && isDate(date) ? addDays(date, -1) : date;
}

/** The code of the most severe weather of several periods; undefined if none has an icon or words. */
function severest(periods: Period[]): number | undefined {
  const codes = periods.flatMap(({ icon, shortForecast }) =>
    icon || shortForecast ? [UNKNOWN_CODE, ...codesOf(icon, shortForecast)] : [],
  );
  return highest(codes);
}

/** The temperature of the first daytime or night that has one. */
const celsius = (periods: Period[], ofDaytime: boolean): number | undefined =>
  periods
    .filter(({ isDaytime }) => isDaytime === ofDaytime)
    .flatMap((each) => valueIn(UNITS.celsius, each.temperature, each.temperatureUnit) ?? [])[0];
