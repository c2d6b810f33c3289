import { ServiceUnavailableError } from './errors.js';
import { withTimeLimit } from '../base/time-limit.js';
import type { Scope } from './request-scope.js';
import type { Clock } from './types.js';

/** Work that callers of this process share. The first one supplies its trace and its deadline. */
interface Flight<Result> {
  result: Promise<Result>;
  /** Its trace names the fetch as soon as that is known. */
  scope: Scope;
  waiting: number;
  /** Ends it: nobody waits any more. */
  abandon(reason: unknown): void;
}

/**
 * Joins the concurrent callers of this process for one key (single-flight).
 * @param options.maxWaitMs milliseconds for which a caller waits, unless its deadline is earlier
 */
export function createSingleFlight<Result>(options: {
  clock: Pick<Clock, 'monotonic'>;
  maxWaitMs: number;
}) {
  const { clock, maxWaitMs } = options;
  const flights = new Map<string, Flight<Result>>();

  function begin(
    key: string,
    given: Scope,
    work: (scope: Scope) => Promise<Result>,
  ): Flight<Result> {
    const controller = new AbortController();
    const { traceId } = given.trace;
    const scope: Scope = { ...given, signal: controller.signal, trace: { traceId } };
    const forget = () => {
      if (flights.get(key) === flight) flights.delete(key);
    };
    const run = async () => work(scope);
    const result = run().finally(forget);
    // It may fail when nobody waits for it any more.
    result.catch(() => undefined);
    const flight: Flight<Result> = {
      result,
      scope,
      waiting: 0,
      // 1. The last request leaves at its deadline. The work is aborted, but has not ended.
      // 2. If another request for the key joined, it would fail with the first one's deadline.
      // 3. So the key is free at once. When the work ends, `forget` must not remove the newer work.
      abandon(reason) {
        forget();
        controller.abort(reason);
      },
    };
    flights.set(key, flight);
    return flight;
  }

  /**
   * Joins the work in flight for a key, or begins it. A caller stops waiting at its deadline, or
   * when its signal aborts. When nobody waits for the work any more, its signal aborts.
   * @returns the result, and whether this caller has joined the work of another one
   * @throws what the work throws; ServiceUnavailableError at the deadline
   */
  return async function join(
    key: string,
    scope: Scope,
    work: (scope: Scope) => Promise<Result>,
  ): Promise<{ result: Result; hasJoined: boolean }> {
    const running = flights.get(key);
    const flight = running ?? begin(key, scope, work);
    const { deadline, signal } = scope;
    const limitMs = Math.min(deadline - clock.monotonic(), maxWaitMs);
    flight.waiting += 1;
    // A caller that leaves before the end names the work that it waited for.
    scope.trace.fetchId = flight.scope.trace.fetchId;
    try {
      const result = await withTimeLimit({ signal, limitMs, late }, () => flight.result);
      flight.waiting -= 1;
      return { result, hasJoined: running !== undefined };
    } catch (error) {
      flight.waiting -= 1;
      if (flight.waiting === 0) flight.abandon(error);
      throw error;
    } finally {
      scope.trace.fetchId = flight.scope.trace.fetchId;
      if (!running) scope.trace.startsFetch ??= flight.scope.trace.startsFetch;
    }
  };
}

const late = () => new ServiceUnavailableError('The request took too long');
