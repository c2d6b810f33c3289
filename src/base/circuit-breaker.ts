interface CircuitBreakerPolicy {
  /** Consecutive failures that open a closed breaker. */
  failuresToOpen: number;
  /**
   * Milliseconds for which the breaker is open at first. Doubled after each failed half-open call.
   * Infinity: until `close`.
   */
  firstOpenMs: number;
  /** Maximum open time in milliseconds, unless a failure names a longer one. */
  maxOpenMs: number;
}

/** The state of the other system, judged by the error of a call. */
export type Judgment =
  /** The other system failed. `namedMs`: how long it says that it rejects calls; opens at once. */
  | { kind: 'failure'; reason: string; namedMs?: number | undefined }
  /** The other system works: the error is its response. */
  | { kind: 'success' }
  /** Nothing: the call was not made, or its caller aborted it. */
  | { kind: 'canceled' };

export type CircuitBreaker = ReturnType<typeof createCircuitBreaker>;

/** Milliseconds until a caller may retry that was rejected because of a half-open call. */
const HALF_OPEN_RETRY_MS = 1000;

/**
 * Creates a circuit breaker for the calls of this process to one other system.
 *
 * - `closed`: all calls are made.
 * - `open`: calls are rejected.
 * - `half-open`: the open time is over. One call at a time is made. Its success closes the breaker,
 *   its failure opens it again.
 *
 * The outcome of a call that started before the breaker opened or closed does not change the state.
 * @param options.openedBy the breaker is open at first, for this reason, until `close`
 */
export function createCircuitBreaker(options: {
  policy: CircuitBreakerPolicy;
  clock: { monotonic(): number };
  openedBy?: string;
}) {
  const { policy, clock, openedBy } = options;
  let failures = 0;
  /** Open times in a row whose length came from the policy. Each doubles the next (backoff). */
  let openings = 0;
  /** The end of the open time; undefined while closed. */
  let openUntil = openedBy === undefined ? undefined : Infinity;
  let lastFailure = openedBy;
  let isHalfOpenCallInFlight = false;
  /** Number of changes between closed and not closed. */
  let changes = 0;

  const openMs = () => Math.max(0, (openUntil ?? 0) - clock.monotonic());
  const rejectsForMs = () => Math.max(openMs(), isHalfOpenCallInFlight ? HALF_OPEN_RETRY_MS : 0);

  function open(reason: string, namedMs?: number): void {
    const backoffMs = Math.min(policy.firstOpenMs * 2 ** openings, policy.maxOpenMs);
    if (namedMs === undefined) openings += 1;
    if (openUntil === undefined) changes += 1;
    openUntil = Math.max(openUntil ?? 0, clock.monotonic() + (namedMs ?? backoffMs));
    lastFailure = reason;
  }

  function close(): void {
    if (openUntil !== undefined) changes += 1;
    failures = 0;
    openings = 0;
    openUntil = undefined;
    lastFailure = undefined;
  }

  function failed(isHalfOpen: boolean, startedAt: number, reason: string, namedMs?: number): void {
    if (isHalfOpen) open(reason, namedMs);
    else if (openUntil !== undefined) {
      if (namedMs !== undefined && namedMs > openMs()) open(reason, namedMs);
    } else if (startedAt === changes || namedMs !== undefined) {
      failures += 1;
      if (namedMs !== undefined || failures >= policy.failuresToOpen) open(reason, namedMs);
    }
  }

  return {
    get isClosed(): boolean {
      return openUntil === undefined;
    },
    /** Whether the last call that was judged succeeded, or there was none. */
    get lastSucceeded(): boolean {
      return failures === 0 && openUntil === undefined;
    },
    /** The reason of the failure that opened the breaker last; undefined while closed. */
    get lastFailure(): string | undefined {
      return lastFailure;
    },
    /** Milliseconds until a call would be made; 0 if it would be made now. */
    rejectsForMs,
    /**
     * Makes a call, unless the breaker is open.
     * @param onChange called if the outcome of this call has opened or closed the breaker, with the
     *   error if there is one
     * @throws Error if the call is not made; what the call throws
     */
    async execute<T>(
      call: () => Promise<T>,
      judge: (error: unknown) => Judgment,
      onChange?: (error?: unknown) => void,
    ): Promise<T> {
      if (rejectsForMs() > 0) throw new Error(`The breaker is open: ${lastFailure}`);
      const startedAt = changes;
      const isHalfOpen = openUntil !== undefined;
      isHalfOpenCallInFlight = isHalfOpen;
      const settle = (judgment: Judgment, error?: unknown) => {
        const before = changes;
        if (isHalfOpen) isHalfOpenCallInFlight = false;
        if (judgment.kind === 'success') {
          // Another call may have failed meanwhile, and named an open time that is not over.
          if (isHalfOpen ? openMs() === 0 : openUntil === undefined) close();
        } else if (judgment.kind === 'failure') {
          failed(isHalfOpen, startedAt, judgment.reason, judgment.namedMs);
        }
        if (changes !== before) onChange?.(error);
      };
      let result: T;
      try {
        result = await call();
      } catch (error) {
        settle(judge(error), error);
        throw error;
      }
      settle({ kind: 'success' });
      return result;
    },
    /** Opens the breaker without a call: a check of the other system has failed. */
    open,
    /** Closes the breaker without a call: a check of the other system has succeeded. */
    close,
  };
}
