import type { Explain } from '../../upstream/failures.js';
import type { JsonResponse } from '../../upstream/upstream-client.js';
import type { WeatherProvider } from '../../upstream/weather-provider.js';
import { CURRENT_WEATHER } from '../../weather/kinds/current-weather.js';
import { DAILY_FORECAST } from '../../weather/kinds/daily-forecast.js';
import { HOUR_MS } from '../../weather/time/durations.js';
import { HOURLY_FORECAST } from '../../weather/kinds/hourly-forecast.js';
import type { Point, UpstreamValue } from '../../weather/types.js';
import { currentOf, daysOf, hoursOf } from './met-norway-forecasts.js';
import { NAME, SERIES, type Series } from './met-norway-series.js';
import { toCurrent, toSeries } from '../kind-values.js';
import { readAtReferenceTime } from '../reference-time.js';
import type { ProviderOptions } from '../provider-options.js';
import { degrees } from '../weather-values.js';

const explain: Explain = ({ status }) => {
  // The service rejects the User-Agent or the IP address.
  if (status === 403) return { kind: 'unavailable', message: 'calls are forbidden' };
  if (status === 422) return { kind: 'not_covered', message: 'the point is outside the area' };
  return undefined;
};

/** The service still responds, but a newer version replaces it, or it is not final yet. */
const DEPRECATED = 203;

/**
 * The maximum time in milliseconds for which `Expires` is obeyed: a wrong `Expires` must not prevent new data for longer.
 * Real responses expire after about half an hour. Outside the Nordic countries, the data changes every six hours
 * (https://gitlab.gnome.org/GNOME/libgweather/-/issues/68).
 */
const MAX_FRESH_MS = 6 * HOUR_MS;

/**
 * MET Norway's locationforecast 2.0 (https://api.met.no/weatherapi/locationforecast/2.0/documentation,
 * https://docs.api.met.no/doc/ForecastJSON). Only the complete format has the dew point, gusts, the probability of
 * precipitation, and the extremes of six hours (https://docs.api.met.no/doc/locationforecast/datamodel).
 *
 * Its terms (https://api.met.no/doc/TermsOfService, https://api.met.no/doc/StatusCodes) require a User-Agent with a
 * contact, at most four decimals, HTTPS, and no call for a URL before the `Expires` of the last response. Each ability obeys
 * `Expires` by itself. All of them have the same URL, so for a point of which current weather, days, and hours are
 * requested, the URL is called up to three times until it expires. Redirects on its host are followed. A 203 announces a
 * change.
 */
export function createMetNorway(options: ProviderOptions): WeatherProvider {
  const { client, config, log } = options;
  let isDeprecationLogged = false;

  /** Calls the service, and reads a value from its response. */
  async function supply<Value>(
    point: Point,
    signal: AbortSignal,
    read: (series: Series, now: number) => Value,
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
    return {
      ...readAtReferenceTime(response, read),
      freshForMs: Math.min(untilExpires(response), MAX_FRESH_MS),
    };
  }

  return {
    name: NAME,
    current: (point, signal) =>
      supply(point, signal, (series, now) =>
        toCurrent(NAME, CURRENT_WEATHER, currentOf(series, now), now),
      ),
    daily: (point, signal) =>
      supply(point, signal, (series, now) =>
        toSeries(NAME, DAILY_FORECAST, point, daysOf(series, point.timeZone, now), now),
      ),
    hourly: (point, signal) =>
      supply(point, signal, (series, now) =>
        toSeries(NAME, HOURLY_FORECAST, point, hoursOf(series, now), now),
      ),
  };
}

/** Milliseconds until the response expires, by the clock of the service (RFC 9111, 4.2). */
function untilExpires({ headers, at }: JsonResponse<unknown>): number {
  const expires = Date.parse(headers.get('expires') ?? '');
  return Number.isNaN(expires) ? 0 : Math.max(0, expires - at);
}
