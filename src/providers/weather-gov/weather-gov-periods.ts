import Joi from 'joi';
import { atMost, objectOf, optional, validate, type Validated } from '../../upstream/schema.js';
import { UNKNOWN_CODE } from '../../weather/conditions/conditions.js';
import { addDays, isDate } from '../../weather/time/local-time.js';
import { roundedPlausibleValue } from '../../weather/kinds/quantities.js';
import { highest } from '../daily-steps.js';
import type { Maybe } from '../../weather/types.js';
import type { RawDay, RawTime } from '../kind-values.js';
import { readSteps } from '../steps.js';
import { feelsLikeOf, maybeText, sameSchema } from '../weather-values.js';
import { codeOf, partsOf } from './weather-gov-conditions.js';
import {
  degreesOfCompass,
  measured,
  NAME,
  temperature,
  UNITS,
  valueIn,
  wind,
} from './weather-gov-quantities.js';

/**
 * An hour, or the daytime or the night of a date. The first period can be shorter than twelve
 * hours.
 */
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
  dewpoint: measured,
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

/**
 * A response of `/gridpoints/…/forecast` or of `/gridpoints/…/forecast/hourly`. Only the periods
 * that are used are validated.
 */
export const PERIODS = objectOf({
  properties: objectOf({ periods: atMost(MAX_PERIODS, Joi.any<unknown>()).required() }).required(),
});
type PeriodsResponse = Validated<typeof PERIODS>;

/**
 * The hours of a response between two instants. The provider has no precipitation amount, no
 * clouds, and usually no gusts here. The apparent temperature is only in another response, so it is
 * computed by the provider's formulas.
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
      dew_point: valueIn(UNITS.celsius, period.dewpoint, 'C'),
      precipitation_probability: percent(period.probabilityOfPrecipitation),
      wind_speed: valueIn(UNITS.kmh, period.windSpeed),
      wind_gusts: valueIn(UNITS.kmh, period.windGust),
      wind_direction: degreesOfCompass(period.windDirection),
      weather_code: codeOf(period.icon, period.shortForecast),
    };
    return { time, ...values, feels_like: feelsLikeOf(values) };
  });
}

/**
 * Nights start at 18:00 local time. A night period that starts before this hour began on the date
 * before.
 */
const FIRST_HOUR = 6;

/**
 * The days of half days. Condition and probability of a date are those from midnight to midnight:
 * of the second half of the night before, of the daytime, and of the first half of the night after
 * it. The maximum is that of the daytime, and the minimum that of the night before, which is
 * coldest in the morning. Without that night, which has ended, today has no minimum.
 * @throws UpstreamError (`bad_answer`) if a period does not match the schema
 */
export function daysOfPeriods({ properties }: PeriodsResponse): RawDay[] {
  const daytimes = new Map<string, Period[]>();
  const nights = new Map<string, Period[]>();
  for (const unvalidated of properties.periods) {
    const period = validate(NAME, HALF_DAY, unvalidated);
    const ofDates = period.isDaytime ? daytimes : nights;
    const date = dateOf(period);
    ofDates.set(date, [...(ofDates.get(date) ?? []), period]);
  }
  return Array.from(daytimes, ([date, daytime], index) => {
    const before = (isDate(date) ? nights.get(addDays(date, -1)) : undefined) ?? [];
    const after = nights.get(date) ?? [];
    const parts = [
      ...before.flatMap((period) =>
        isAfterMidnight(period) ? partsIn(period) : partsIn(period).slice(-1),
      ),
      ...daytime.flatMap(partsIn),
      ...after.flatMap((period) => partsIn(period).slice(0, 1)),
    ];
    const winds = [...before, ...daytime, ...after].flatMap(
      ({ windSpeed }) => valueIn(UNITS.kmh, windSpeed) ?? [],
    );
    return {
      date,
      isPartial: index === 0 && before.length === 0,
      temperature_min: celsius(before),
      temperature_max: celsius(daytime),
      weather_code: highest(parts.flatMap(({ code }) => code ?? [])),
      precipitation_probability: highest(parts.flatMap(({ probability }) => probability ?? [])),
      wind_speed_max: highest(winds),
    };
  });
}

/** The local date on which the daytime or the night of a period starts. */
function dateOf(period: Period): string {
  const date = period.startTime.slice(0, 10);
  return isAfterMidnight(period) && isDate(date) ? addDays(date, -1) : date;
}

/** Whether a period is the rest of a night that began on the date before. */
const isAfterMidnight = ({ startTime, isDaytime }: Period): boolean =>
  !isDaytime && Number(startTime.slice(11, 13)) < FIRST_HOUR;

/**
 * The parts of a period with their code and probability. The probability of a period is the highest
 * of its parts: if the icons contain those of the parts, these count. An implausible value counts
 * as missing.
 */
function partsIn({ icon, shortForecast, probabilityOfPrecipitation }: Period) {
  const parts = partsOf(icon, shortForecast);
  const ofParts = parts.length > 1 && parts.some(({ probability }) => probability !== undefined);
  const plausible = (value: Maybe<number>) =>
    roundedPlausibleValue('precipitation_probability', value) ?? undefined;
  const ofPeriod = plausible(percent(probabilityOfPrecipitation));
  return parts.map(({ code, probability }) => ({
    code: code ?? (icon || shortForecast ? UNKNOWN_CODE : undefined),
    probability: ofParts ? plausible(probability) : ofPeriod,
  }));
}

/** The temperature of the first period that has one. */
const celsius = (periods: Period[]): number | undefined =>
  periods.flatMap(
    (each) => valueIn(UNITS.celsius, each.temperature, each.temperatureUnit) ?? [],
  )[0];
