import type { ValuesByAbility } from '../weather/kinds/kinds.js';
import type { Point, UpstreamValue, ZonedPoint } from '../weather/types.js';

/** Calls a provider. @throws UpstreamError without a usable response; the signal's reason */
export type Ability<Value> = (
  point: ZonedPoint,
  signal: AbortSignal,
) => Promise<UpstreamValue<Value>>;

type Abilities = {
  readonly [Name in keyof ValuesByAbility]: Ability<ValuesByAbility[Name]>;
};

/** One weather service. An adapter is one folder in `providers/`. Each ability is optional. */
export interface WeatherProvider extends Partial<Abilities> {
  readonly name: string;
  /** Whether it may have data for a point; absent: it has data everywhere. */
  covers?(point: Point): boolean;
}
