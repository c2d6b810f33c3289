import { UpstreamError } from '../base/errors.js';
import { HOUR_MS } from '../weather/durations.js';
import {
  hourlyForecast,
  MAX_FORECAST_HOURS,
  type HourlyForecast,
  type HourlyWeather,
} from '../weather/hourly-forecast.js';
import { isInstant } from '../weather/local-time.js';
import { plausible } from '../weather/plausible.js';
import type { Maybe } from '../weather/types.js';

/**
 * The values that a provider reports for an hour, in the units of the contract and not rounded. Absent: the provider has
 * none. Precipitation, its probability, and gusts are those of the hour that begins at `time`.
 */
export interface RawHour {
  /** Milliseconds since the Unix epoch. */
  time: number;
  temperature: Maybe<number>;
  condition: Maybe<string>;
  feelsLike?: Maybe<number>;
  humidity?: Maybe<number>;
  cloudCover?: Maybe<number>;
  precipitation?: Maybe<number>;
  precipitationProbability?: Maybe<number>;
  windSpeed?: Maybe<number>;
  windDirection?: Maybe<number>;
  windGusts?: Maybe<number>;
}

/**
 * Rounds the hours as the public contract requires, and sorts them. An hour that is over, that lacks a temperature or a
 * condition, or that another one has already described is left out, and so is an hour that begins more than 48 hours from
 * now. Another value that is missing or impossible is null.
 * @param timezone IANA name of the time zone at the point
 * @param now the present in milliseconds since the Unix epoch
 * @throws UpstreamError (`no_data`) if no hour is left
 */
export function toHourlyForecast(
  upstream: string,
  timezone: string,
  raw: RawHour[],
  now: number,
): HourlyForecast {
  const hours = new Map<number, HourlyWeather>();
  const end = now + MAX_FORECAST_HOURS * HOUR_MS;
  for (const each of raw) {
    const isNext = isInstant(each.time) && each.time + HOUR_MS > now && each.time < end;
    const hour = isNext ? toHour(each) : undefined;
    if (hour && !hours.has(hour.time)) hours.set(hour.time, hour);
  }
  const sorted = [...hours.values()].sort((a, b) => a.time - b.time);
  if (sorted.length > 0) return hourlyForecast(timezone, sorted.slice(0, MAX_FORECAST_HOURS));
  throw new UpstreamError(upstream, 'no_data', 'the forecast has no complete hour from now on');
}

function toHour(raw: RawHour): HourlyWeather | undefined {
  const temperature = plausible('temperature', raw.temperature);
  if (temperature === null || raw.condition == null) return undefined;
  return {
    time: raw.time,
    temperature,
    condition: raw.condition,
    feels_like: plausible('feels_like', raw.feelsLike),
    humidity: plausible('humidity', raw.humidity),
    cloud_cover: plausible('cloud_cover', raw.cloudCover),
    precipitation: plausible('precipitation', raw.precipitation),
    precipitation_probability: plausible('precipitation_probability', raw.precipitationProbability),
    wind_speed: plausible('wind_speed', raw.windSpeed),
    wind_direction: plausible('wind_direction', raw.windDirection),
    wind_gusts: plausible('wind_gusts', raw.windGusts),
  };
}
