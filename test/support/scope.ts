import { setMaxListeners } from 'node:events';
import type { Scope } from '../../src/weather/request-scope.js';

/** A scope without effective limits, unless the options set some. */
export function scope(given: Partial<Scope> = {}): Scope {
  const { signal } = new AbortController();
  // As that of a process: each request listens to it.
  setMaxListeners(0, signal);
  return {
    signal,
    deadline: 1e9,
    trace: { traceId: undefined },
    ...given,
  };
}
