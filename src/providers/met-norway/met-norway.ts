import type { Explain } from '../../upstream/failures.js';
import type { JsonResponse } from '../../upstream/upstream-client.js';
import type { WeatherProvider } from '../../upstream/weather-provider.js';
import { CURRENT_WEATHER } from '../../weather/kinds/current-weather.js';
import { DAILY_FORECAST } from '../../weather/kinds/daily-forecast.js';
import { DAY_MS, HOUR_MS } from '../../weather/time/durations.js';
import { FETCHED_HOURS, HOURLY_FORECAST } from '../../weather/kinds/hourly-forecast.js';
import type { Point, UpstreamValue } from '../../weather/types.js';
import { daysOfSteps, type ForecastStep } from '../daily-steps.js';
import {
  currentRange,
  readCurrent,
  readSeries,
  type RawDay,
  type RawTime,
} from '../kind-values.js';
import type { ProviderOptions } from '../provider-options.js';
import { degrees } from '../weather-values.js';
import {
  instantValues,
  LONGEST_PERIOD_HOURS,
  NAME,
  SERIES,
  shortestPeriod,
  stepsOf,
  type TimeSeries,
} from './met-norway-series.js';

/** Milliseconds of a daily forecast from now that are used. The service has steps for ten days. */
const USED_MS = 11 * DAY_MS;

const explain: Explain = ({ status }) => {
  // The service rejects the User-Agent or the IP address.
  if (status === 403) return { kind: 'unavailable', message: 'calls are forbidden' };
  if (status === 422) return { kind: 'not_covered', message: 'the point is outside the area' };
  return undefined;
};

/** The service still responds, but a newer version replaces it, or it is not final yet. */
const DEPRECATED = 203;

/**
 * Maximum milliseconds for which `Expires` is obeyed: a wrong one must not prevent new data longer.
 * Real responses expire after about half an hour. Outside the Nordic countries, the data changes
 * every six hours (https://gitlab.gnome.org/GNOME/libgweather/-/issues/68).
 */
const MAX_FRESH_MS = 6 * HOUR_MS;

/**
 * MET Norway's locationforecast 2.0. Only the complete format has dew point, gusts, precipitation
 * probability, and six-hour extremes (https://docs.api.met.no/doc/locationforecast/datamodel,
 * https://docs.api.met.no/doc/ForecastJSON,
 * https://api.met.no/weatherapi/locationforecast/2.0/documentation).
 *
 * Its terms (https://api.met.no/doc/TermsOfService, https://api.met.no/doc/StatusCodes) require a
 * User-Agent with a contact, at most four decimals, HTTPS, and no call for a URL before the
 * `Expires` of the last response. Each ability obeys `Expires` by itself, so for a point with
 * requests for current weather, days, and hours, their common URL is called up to three times until
 * it expires. Redirects on its host are followed. A 203 means that the version will be replaced.
 */
export function createMetNorway(options: ProviderOptions): WeatherProvider {
  const { client, config, log } = options;
  let isDeprecationLogged = false;

  /** Calls the service, and reads a value from its response. */
  async function supply<Value>(
    point: Point,
    signal: AbortSignal,
    read: (response: JsonResponse<TimeSeries>) => UpstreamValue<Value>,
  ): Promise<UpstreamValue<Value>> {
    const { latitude: lat, longitude: lon } = degrees(point);
    const url = new URL('/weatherapi/locationforecast/2.0/complete', config.urls[NAME]);
    url.search = new URLSearchParams({ lat, lon }).toString();
    const response = await client.getJson({
      upstream: NAME,
      url,
      schema: SERIES,
      signal,
      explain,
      followsOwnHost: true,
    });
    if (response.status === DEPRECATED && !isDeprecationLogged) {
      isDeprecationLogged = true;
      log.warn({ event: 'provider_deprecated', provider: NAME });
    }
    return { ...read(response), freshForMs: Math.min(msUntilExpires(response), MAX_FRESH_MS) };
  }

  return {
    name: NAME,
    current: (point, signal) =>
      supply(point, signal, (response) => readCurrent(NAME, CURRENT_WEATHER, response, currentOf)),
    daily: (point, signal) =>
      supply(point, signal, (response) =>
        readSeries(NAME, DAILY_FORECAST, point, response, (series, now) =>
          daysOf(series, point.timeZone, now),
        ),
      ),
    hourly: (point, signal) =>
      supply(point, signal, (response) =>
        readSeries(NAME, HOURLY_FORECAST, point, response, hoursOf),
      ),
  };
}

/**
 * The weather of the last step that has begun, or of the first one; undefined if none is near
 * enough. The precipitation is the forecast for the hour that begins with the step.
 * @param now milliseconds since the Unix epoch
 */
function currentOf(series: TimeSeries, now: number): RawTime | undefined {
  const steps = stepsOf(series, ...currentRange(now));
  const nearest = steps.findLast(({ time }) => time <= now) ?? steps[0];
  if (!nearest) return undefined;
  const { time, step } = nearest;
  return {
    time,
    ...instantValues(step),
    weather_code: shortestPeriod(step)?.values.weather_code,
    precipitation: step.data.next_1_hours?.details?.precipitation_amount,
  };
}

/** The days of a series, from the step for an instant on. */
function daysOf(series: TimeSeries, timeZone: string, now: number): RawDay[] {
  const earliest = now - LONGEST_PERIOD_HOURS * HOUR_MS;
  const steps = stepsOf(series, earliest, now + USED_MS)
    .map(({ time, step }): ForecastStep => {
      // Six-hour extremes matter if the next step is six hours later. One-hour periods have none.
      const period = shortestPeriod(step);
      const times = { time, from: time, to: time + (period?.lengthMs ?? 0) };
      const extremes = period?.extremes ?? [];
      return { ...times, extremes, ...instantValues(step), ...period?.values };
    })
    .filter(({ to }) => to > now);
  return daysOfSteps(steps, timeZone);
}

/** The steps that have values for the hour after them. No hour between two steps is invented. */
function hoursOf(series: TimeSeries, now: number): RawTime[] {
  return stepsOf(series, now - HOUR_MS, now + FETCHED_HOURS * HOUR_MS).map(({ time, step }) => {
    const period = shortestPeriod(step);
    // Without a weather code, the hour is left out.
    const ofHour = period?.lengthMs === HOUR_MS ? period.values : {};
    return { time, ...instantValues(step), ...ofHour };
  });
}

/** Milliseconds until the response expires, by the clock of the service (RFC 9111, 4.2). */
function msUntilExpires({ headers, at }: JsonResponse<unknown>): number {
  const expires = Date.parse(headers.get('expires') ?? '');
  return Number.isNaN(expires) ? 0 : Math.max(0, expires - at);
}
