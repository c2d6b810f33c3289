import { ServiceUnavailableError } from './errors.js';
import { withTimeLimit } from '../base/time-limit.js';
import type { Scope } from './request-scope.js';
import type { Clock } from './types.js';

/** Work that several requests of this process share. The first one supplies its trace and its deadline. */
interface Flight<Result> {
  result: Promise<Result>;
  /** Its trace names the fetch as soon as that is known. */
  scope: Scope;
  /** The number of requests that wait for it. */
  waiting: number;
  /** Ends it: no request waits any more. */
  abandon(reason: unknown): void;
}

/**
 * Joins the concurrent requests of this process for one key (single-flight).
 * @param options.maxWaitMs milliseconds for which a request waits, unless its deadline is earlier
 */
export function createSingleFlight<Result>(options: {
  clock: Pick<Clock, 'monotonic'>;
  maxWaitMs: number;
}) {
  const { clock, maxWaitMs } = options;
  const flights = new Map<string, Flight<Result>>();

  function begin(
    key: string,
    { deadline, trace: { traceId } }: Scope,
    work: (scope: Scope) => Promise<Result>,
  ): Flight<Result> {
    const controller = new AbortController();
    const scope: Scope = { signal: controller.signal, deadline, trace: { traceId } };
    const forget = () => {
      if (flights.get(key) === flight) flights.delete(key);
    };
    const result = Promise.resolve()
      .then(() => work(scope))
      .finally(forget);
    // It may fail when no request waits for it any more.
    result.catch(() => undefined);
    const flight: Flight<Result> = {
      result,
      scope,
      waiting: 0,
      // 1. The last request leaves at its deadline. The work is aborted, but has not ended.
      // 2. Another request asks for the key. If it joined this work, it would fail with the deadline of the first one.
      // 3. So the key is free at once. When the work ends, `forget` must not remove the work of the other request.
      abandon(reason) {
        forget();
        controller.abort(reason);
      },
    };
    flights.set(key, flight);
    return flight;
  }

  /**
   * Waits for the work of a key that is in flight, or begins it. A request stops waiting at its deadline, or when the process
   * ends. The work continues for others; when no request waits for it any more, its signal aborts.
   * @returns the result, and whether this request has joined the work of another one
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
    }
  };
}

const late = () => new ServiceUnavailableError('The request took too long');
