import type { Scope } from '../../src/weather/request-scope.js';

/** A scope that bounds nothing that a test could notice, unless it says otherwise. */
export function scope(given: Partial<Scope> = {}): Scope {
  return {
    signal: new AbortController().signal,
    deadline: 1e9,
    trace: { traceId: undefined },
    ...given,
  };
}
