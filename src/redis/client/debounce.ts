import type { Clock } from '../../weather/types.js';

/**
 * Debounces a condition that is checked repeatedly. The result changes when the condition has differed from
 * it at every check for `periodMs` milliseconds. It starts as false.
 * @returns takes the condition, and returns the debounced one
 */
export function createDebounce(
  periodMs: number,
  clock: Pick<Clock, 'monotonic'>,
): (condition: boolean) => boolean {
  let result = false;
  let differsSince: number | undefined;
  return (condition) => {
    if (condition === result) differsSince = undefined;
    else {
      differsSince ??= clock.monotonic();
      if (clock.monotonic() - differsSince >= periodMs) {
        result = condition;
        differsSince = undefined;
      }
    }
    return result;
  };
}
