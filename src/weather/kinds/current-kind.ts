import { isInstant } from '../time/local-time.js';
import type { Kind } from './kind.js';
import { ABOUT_POINT, type PointRequest } from './point.js';
import { checksOf, readMembers, type Checks, type Quantities, type Values } from './values.js';

/** The values at an instant: `time` is in milliseconds since the Unix epoch. */
export type CurrentValues<Q extends Quantities, Others> = { time: number } & Values<Q> & Others;

/** A kind whose values are for the current time. */
export interface CurrentKind<Q extends Quantities, Others = object> extends Kind<
  PointRequest,
  CurrentValues<Q, Others>
> {
  quantities: Q;
  /** Checks of the members that are not quantities. Each is null if the provider lacks it. */
  otherChecks: Checks<Others>;
}

export function currentKind<const Q extends Quantities, Others = object>(
  name: string,
  quantities: Q,
  otherChecks = {} as Checks<Others>,
): CurrentKind<Q, Others> {
  const checks = { time: isInstant, ...checksOf(quantities), ...otherChecks };
  return {
    name,
    quantities,
    otherChecks,
    ...ABOUT_POINT,
    readValue: (input) => readMembers<CurrentValues<Q, Others>>(input, checks),
  };
}
