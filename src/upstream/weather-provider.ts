import type { ValuesByAbility } from '../weather/kinds/kinds.js';
import type { Point, UpstreamValue, ZonedPoint } from '../weather/types.js';

/**
 * Runs one call to a provider under its concurrency limit, circuit breaker, and budget.
 * @param signal ends the wait for the call
 */
export type SendCall = <T>(call: () => Promise<T>, signal: AbortSignal) => Promise<T>;

/** Calls a provider. @throws UpstreamError without a usable response; the signal's reason */
export type Ability<Value> = (
  point: ZonedPoint,
  signal: AbortSignal,
  send?: SendCall,
) => Promise<UpstreamValue<Value>>;

type Abilities = {
  readonly [Name in keyof ValuesByAbility]: Ability<ValuesByAbility[Name]>;
};

/** One weather service. An adapter is one folder in `providers/`. Each ability is optional. */
export interface WeatherProvider extends Partial<Abilities> {
  readonly name: string;
  /**
   * Whether the abilities pass each of their calls to `send`, because several points share a call.
   * Absent: each use of an ability is one call.
   */
  readonly sharesCalls?: true;
  /** Whether it may have data for a point; absent: it has data everywhere. */
  covers?(point: Point): boolean;
}
