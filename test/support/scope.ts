import type { Scope } from '../../src/weather/request-scope.js';

/** A scope without effective limits, unless the options set some. */
export function scope(given: Partial<Scope> = {}): Scope {
  return {
    signal: new AbortController().signal,
    deadline: 1e9,
    trace: { traceId: undefined },
    ...given,
  };
}
