import Joi from 'joi';
import { atMost, checked } from '../../upstream/schema.js';
import { HOUR_MS } from '../../weather/durations.js';
import { MAX_FORECAST_HOURS } from '../../weather/hourly-forecast.js';
import type { Maybe } from '../../weather/types.js';
import type { RawHour } from '../hourly-values.js';
import { stepsBetween, timedSteps } from '../steps.js';
import { feelsLikeOf, maybeNumber, maybeText } from '../weather-values.js';
import { conditionOfIcon } from './weather-gov-icons.js';
import {
  celsiusOf,
  degreesOfCompass,
  temperature,
  wind,
  windSpeedOf,
  type Temperature,
  type Wind,
} from './weather-gov-quantities.js';

/** An hour. */
interface Period {
  /** Local time with the offset from UTC of the hour, such as `2026-11-24T06:00:00-08:00`. */
  startTime: string;
  temperature?: Temperature;
  temperatureUnit?: Maybe<string>;
  /** Percent. */
  probabilityOfPrecipitation?: Maybe<{ value?: Maybe<number> }>;
  relativeHumidity?: Maybe<{ value?: Maybe<number> }>;
  windSpeed?: Wind;
  windDirection?: Maybe<string>;
  windGust?: Wind;
  icon?: Maybe<string>;
  shortForecast?: Maybe<string>;
}

/** The response of `/gridpoints/…/forecast/hourly`. */
export interface HoursResponse {
  /** Not validated: only the periods that are used are. */
  properties: { periods: unknown[] };
}

/** Maximum number of periods in a response. Real responses have 156. */
const MAX_PERIODS = 300;

const percent = Joi.object({ value: maybeNumber }).allow(null);

export const HOURS = Joi.object<HoursResponse>({
  properties: Joi.object({
    periods: atMost(MAX_PERIODS, Joi.array()).required(),
  }).required(),
});

const PERIOD = Joi.object<Period>({
  startTime: Joi.string().max(40).required(),
  temperature,
  temperatureUnit: Joi.valid('F', 'C', null),
  probabilityOfPrecipitation: percent,
  relativeHumidity: percent,
  windSpeed: wind,
  windDirection: maybeText,
  windGust: wind,
  icon: maybeText,
  shortForecast: maybeText,
});

/**
 * The hours of a response. The service has no amount of precipitation, no clouds, and usually no gusts here, and how warm it
 * feels only in another response: it is computed, by the formulas of the service itself.
 * @param now milliseconds since the Unix epoch
 * @throws UpstreamError (`bad_answer`) if a period has no time, or one of the next hours does not match the schema
 */
export function hoursOfPeriods(
  upstream: string,
  { properties }: HoursResponse,
  now: number,
): RawHour[] {
  const to = now + MAX_FORECAST_HOURS * HOUR_MS;
  const all = timedSteps(upstream, properties.periods, 'startTime');
  return stepsBetween(all, now - HOUR_MS, to).map(({ at, step: unchecked }) => {
    const step = checked(upstream, PERIOD, unchecked);
    const values = {
      temperature: celsiusOf(step.temperature, step.temperatureUnit),
      humidity: step.relativeHumidity?.value,
      windSpeed: windSpeedOf(step.windSpeed),
    };
    return {
      time: at,
      ...values,
      condition: step.icon ? conditionOfIcon(step.icon, step.shortForecast ?? '') : undefined,
      feelsLike: feelsLikeOf(values),
      precipitationProbability: step.probabilityOfPrecipitation?.value,
      windDirection: degreesOfCompass(step.windDirection),
      windGusts: windSpeedOf(step.windGust),
    };
  });
}
