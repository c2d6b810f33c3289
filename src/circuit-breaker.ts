import type { Clock } from './weather/types.js';

export interface CircuitBreakerPolicy {
  /** Consecutive failures that open a closed breaker. */
  failuresToOpen: number;
  /** Milliseconds for which the breaker is open at first. They double after each failed half-open call. */
  firstOpenMs: number;
  /** Maximum open time in milliseconds, unless a failure names a longer one. */
  maxOpenMs: number;
}

/** The state of the breaker when a call starts. Every outcome of the call is reported with it. */
export type CallState = 'closed' | 'half-open';

export type CircuitBreaker = ReturnType<typeof createCircuitBreaker>;

/** Milliseconds after which a caller may retry that was rejected because of a half-open call in flight. */
const HALF_OPEN_RETRY_MS = 1000;

/**
 * Creates a circuit breaker for the calls of this process to one other system.
 *
 * - `closed`: all calls are allowed.
 * - `open`: calls are rejected.
 * - `half-open`: the open time is over. One call at a time is allowed. Its success closes the breaker,
 *   its failure opens it again.
 *
 * Report exactly one outcome for each started call: `succeeded`, `failed`, or `canceled`. The outcome
 * of a call that started before the breaker opened does not change the state.
 */
export function createCircuitBreaker(options: {
  policy: CircuitBreakerPolicy;
  clock: Pick<Clock, 'monotonic'>;
}) {
  const { policy, clock } = options;
  /** Consecutive failures while closed. */
  let failures = 0;
  /** Number of open times in a row whose length came from the policy. Each one doubles the next length (backoff). */
  let openings = 0;
  /** The end of the open time; undefined while closed. */
  let openUntil: number | undefined;
  let lastFailure: string | undefined;
  let isHalfOpenCallInFlight = false;

  const openMs = () => Math.max(0, (openUntil ?? 0) - clock.monotonic());

  function open(reason: string, namedMs: number | undefined): void {
    const backoffMs = Math.min(policy.firstOpenMs * 2 ** openings, policy.maxOpenMs);
    if (namedMs === undefined) openings += 1;
    openUntil = Math.max(openUntil ?? 0, clock.monotonic() + (namedMs ?? backoffMs));
    lastFailure = reason;
  }

  return {
    get state(): 'closed' | 'open' | 'half-open' {
      if (openUntil === undefined) return 'closed';
      return openMs() > 0 ? 'open' : 'half-open';
    },
    get isClosed(): boolean {
      return openUntil === undefined;
    },
    /** The reason of the failure that opened the breaker last; undefined while closed. */
    get lastFailure(): string | undefined {
      return lastFailure;
    },
    /** Milliseconds until a call is allowed; 0 if it is allowed now. */
    rejectsForMs(): number {
      return Math.max(openMs(), isHalfOpenCallInFlight ? HALF_OPEN_RETRY_MS : 0);
    },
    /**
     * Starts a call. The caller has checked that it is allowed.
     * @returns the state to pass to `succeeded`, `failed`, or `canceled`
     */
    startCall(): CallState {
      if (openUntil === undefined) return 'closed';
      isHalfOpenCallInFlight = true;
      return 'half-open';
    },
    /** @returns whether the breaker has closed */
    succeeded(startedIn: CallState): boolean {
      if (startedIn === 'half-open') isHalfOpenCallInFlight = false;
      else if (openUntil !== undefined) return false;
      // Another call may have failed meanwhile, and named an open time that is not over.
      if (openMs() > 0) return false;
      const wasOpen = openUntil !== undefined;
      failures = 0;
      openings = 0;
      openUntil = undefined;
      lastFailure = undefined;
      return wasOpen;
    },
    /**
     * @param reason the failure, in words
     * @param namedMs milliseconds for which the other system says that it rejects calls. The breaker
     *   opens at once, for this time
     * @returns whether the breaker has opened; false if it was not closed before
     */
    failed(startedIn: CallState, reason: string, namedMs?: number): boolean {
      if (startedIn === 'half-open') {
        isHalfOpenCallInFlight = false;
        open(reason, namedMs);
        return false;
      }
      if (openUntil !== undefined) {
        if (namedMs !== undefined && namedMs > openMs()) open(reason, namedMs);
        return false;
      }
      failures += 1;
      if (namedMs === undefined && failures < policy.failuresToOpen) return false;
      open(reason, namedMs);
      return true;
    },
    /** The call ended without an outcome that counts: it was not made, its caller aborted it, or it concerns no other call. */
    canceled(startedIn: CallState): void {
      if (startedIn === 'half-open') isHalfOpenCallInFlight = false;
    },
  };
}
