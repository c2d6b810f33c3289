import type { DailyForecast } from '../weather/daily-forecast.js';
import type { Point, Supplied, Weather } from '../weather/types.js';

/**
 * Calls a provider about a point.
 * @throws UpstreamError if there is no usable response
 * @throws the signal's reason if the signal aborts
 */
export type Ability<Value> = (point: Point, signal: AbortSignal) => Promise<Supplied<Value>>;

/** One weather service. An adapter is one folder in `providers/`. Each ability is optional. */
export interface WeatherProvider {
  readonly name: string;
  /** Whether it may have data for a point; absent: it has data everywhere. */
  covers?(point: Point): boolean;
  readonly current?: Ability<Weather>;
  readonly daily?: Ability<DailyForecast>;
}

/** A provider that has every ability. */
export type CompleteProvider = WeatherProvider & Required<Omit<WeatherProvider, 'covers'>>;
