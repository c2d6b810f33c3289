import type { Logger } from 'pino';
import { UpstreamError } from '../errors.js';
import type { Instruments } from '../process/instruments.js';
import { BREAKER_POLICY, type Breakers } from './breakers.js';
import type { Reports } from './reports.js';
import { createSemaphore, type Release } from './semaphore.js';

/**
 * Runs one call to an upstream under its concurrency limit and its breaker. Whoever finds the limit
 * reached waits until a call ends, or until the signal aborts. The outcome is reported to the
 * breaker in the background: the caller does not wait for that.
 * @throws UpstreamError when the call failed, or when the breaker did not admit it
 * @throws the signal's reason when the caller gave up: that says nothing about the upstream
 */
export type Guard = <T>(signal: AbortSignal, call: () => Promise<T>) => Promise<T>;

export interface GuardOptions {
  /** The upstream's name: of the breaker, and in records. */
  name: string;
  breakers: Breakers;
  reports: Reports;
  /** Calls in flight at once in this process. */
  concurrency: number;
  log: Logger;
  instruments: Instruments;
}

interface Entry {
  probe: boolean;
  release: Release;
}

export function createGuard(options: GuardOptions): Guard {
  const { name, breakers, reports, concurrency, log, instruments } = options;
  const semaphore = createSemaphore(concurrency);

  async function admit(): Promise<{ probe: boolean }> {
    const admission = await breakers.acquire(name);
    if (admission.allowed) return admission;
    const { retryAfterMs } = admission;
    throw new UpstreamError(name, 'unavailable', 'not asked, its breaker is open', {
      retryAfterMs,
    });
  }

  /** Asks the breaker before the wait, so that nobody waits for nothing, and again after it. */
  async function enter(signal: AbortSignal): Promise<Entry> {
    const { probe } = await admit();
    const free = semaphore.tryAcquire();
    if (free) return { probe, release: free };
    // Whoever waits must not hold the only probe meanwhile.
    if (probe) reports.add(breakers.abandoned(name));
    const release = await semaphore.acquire(signal);
    try {
      return { ...(await admit()), release };
    } catch (error) {
      release();
      throw error;
    }
  }

  async function reportSuccess(): Promise<void> {
    if ((await breakers.succeeded(name)) !== 'closed') return;
    log.info({ event: 'breaker_closed', provider: name });
  }

  async function reportFailure({ kind, retryAfterMs }: UpstreamError): Promise<void> {
    if ((await breakers.failed(name, { retryAfterMs })) !== 'opened') return;
    const openMs = retryAfterMs ?? BREAKER_POLICY.firstOpenMs;
    log.warn({ event: 'breaker_open', provider: name, reason: kind, retry_after_ms: openMs });
  }

  /** Counts and logs what the call threw, and gives it as the failure of this upstream. */
  function failureOf(error: unknown): UpstreamError {
    const expected = error instanceof UpstreamError;
    const failure = expected
      ? error
      : new UpstreamError(name, 'bad_answer', 'the adapter failed', { cause: error });
    instruments.upstreamCalled(name, failure.kind);
    // A fault of our own needs its stack to be found. An upstream's has none worth keeping.
    const cause = expected ? { reason: failure.message } : { err: failure };
    log.warn({ event: 'upstream_failed', provider: name, kind: failure.kind, ...cause });
    return failure;
  }

  return async (signal, call) => {
    const { probe, release } = await enter(signal);
    try {
      const value = await call();
      instruments.upstreamCalled(name, 'ok');
      reports.add(reportSuccess());
      return value;
    } catch (error) {
      if (signal.aborted) {
        if (probe) reports.add(breakers.abandoned(name));
        throw error;
      }
      const failure = failureOf(error);
      // Before the next call can be made: a used-up quota must hold for everybody at once.
      await reportFailure(failure);
      throw failure;
    } finally {
      release();
    }
  };
}
