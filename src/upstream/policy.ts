import type { Logger } from 'pino';
import type { CircuitBreaker, Judgment } from '../base/circuit-breaker.js';
import { ServiceUnavailableError, UpstreamError } from '../weather/errors.js';
import type { Instruments } from '../base/instruments.js';
import type { Clock, UpstreamCall, LogFields } from '../weather/types.js';
import type { CallBudgets } from './call-budgets.js';
import { createSemaphore } from './semaphore.js';

/** When the circuit breaker of a provider opens, and for how long. */
export const PROVIDER_BREAKER = {
  failuresToOpen: 3,
  firstOpenMs: 5_000,
  maxOpenMs: 30_000,
} as const;

interface PolicyCall<T> extends UpstreamCall {
  call: () => Promise<T>;
}

/**
 * Runs one call to an upstream service under its concurrency limit, circuit breaker, and budget.
 * @throws UpstreamError if the call failed or was not allowed
 * @throws the signal's reason if the caller's signal aborts
 */
export type CallPolicy = <T>(call: PolicyCall<T>) => Promise<T>;

/** The options that the policies of all upstream services share. */
export interface PolicyOptions {
  breakerOf: (upstream: string) => CircuitBreaker;
  budgets: CallBudgets;
  /** Aborts when the process ends. A later failure is not one of the upstream. */
  ending: AbortSignal;
  /** Maximum number of calls in flight to one upstream service, in this process. */
  concurrency: number;
  /** Milliseconds for which a call waits for the concurrency limit. */
  queuedMs: number;
  clock: Clock;
  log: Logger;
  instruments: Instruments;
}

export function createCallPolicy(name: string, options: PolicyOptions): CallPolicy {
  const { budgets, ending, concurrency, queuedMs, clock, log, instruments } = options;
  const breaker = options.breakerOf(name);
  const semaphore = createSemaphore(concurrency);

  function assertAllowed(): void {
    const retryAfterMs = breaker.rejectsForMs();
    if (retryAfterMs === 0) return;
    // The caller does not see the earlier failure, so the message names it.
    const message = `breaker open (${breaker.lastFailure})`;
    throw new UpstreamError(name, 'unavailable', message, { retryAfterMs });
  }

  /** Returns what an error says about the upstream. */
  function judge(error: unknown): Judgment {
    if (!(error instanceof UpstreamError) || error.kind === 'over_budget') {
      return { kind: 'canceled' };
    }
    const { kind, reason, retryAfterMs } = error;
    // The upstream works: it reports that it has no data for this point.
    if (kind === 'not_covered') return { kind: 'success' };
    // Bad data at one point says nothing about other points, so it must not open the breaker.
    if (kind === 'no_data' || kind === 'adapter_fault') return { kind: 'canceled' };
    // Only a quota may keep the breaker open for longer than its policy says.
    return { kind: 'failure', reason, namedMs: kind === 'quota' ? retryAfterMs : undefined };
  }

  function logChange(error?: unknown): void {
    if (breaker.isClosed) log.info({ event: 'breaker_closed', provider: name });
    else if (error instanceof UpstreamError) {
      const openMs = Math.round(breaker.rejectsForMs());
      const reason = error.kind;
      log.warn({ event: 'breaker_open', provider: name, reason, retry_after_ms: openMs });
    }
  }

  /** Logs what a call has thrown. @returns it as a failure of this upstream */
  function failureOf(error: unknown, logFields: LogFields | undefined): UpstreamError {
    const record = { event: 'upstream_failed', ...logFields, provider: name };
    if (!(error instanceof UpstreamError)) {
      const fault = new UpstreamError(name, 'adapter_fault', 'the adapter failed', {
        cause: error,
      });
      log.error({ ...record, failure: fault.kind, err: fault });
      return fault;
    }
    const { kind, message: reason } = error;
    if (kind !== 'not_covered') log.warn({ ...record, failure: kind, reason });
    return error;
  }

  async function run<T>({ signal, call, logFields, sent }: PolicyCall<T>): Promise<T> {
    sent?.();
    const started = clock.monotonic();
    const seconds = () => (clock.monotonic() - started) / 1000;
    try {
      const value = await call();
      instruments.upstreamCalled(name, 'ok', seconds());
      return value;
    } catch (error) {
      if (signal.aborted || ending.aborted) throw (signal.aborted ? signal : ending).reason;
      const failure = failureOf(error, logFields);
      instruments.upstreamCalled(name, failure.kind, seconds());
      throw failure;
    }
  }

  return async (policyCall) => {
    // Checked before and after the wait, so that a call that would be rejected does not wait.
    assertAllowed();
    const { signal } = policyCall;
    const release = await semaphore.acquire({ signal, limitMs: queuedMs, late: tooMany });
    try {
      assertAllowed();
      const call = async () => {
        const retryAfterMs = await budgets.take(name, policyCall.isRefresh);
        if (retryAfterMs === 0) return run(policyCall);
        throw new UpstreamError(name, 'over_budget', 'budget used up', { retryAfterMs });
      };
      return await breaker.execute(call, judge, logChange);
    } finally {
      release();
    }
  };
}

const tooMany = () => new ServiceUnavailableError('Too many fetches are waiting');
