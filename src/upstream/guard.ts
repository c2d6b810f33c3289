import type { Logger } from 'pino';
import { UpstreamError } from '../errors.js';
import type { Instruments } from '../process/instruments.js';
import type { Clock, FetchFields } from '../weather/types.js';
import { BREAKER_POLICY, type Admission, type Breakers } from './breakers.js';
import type { BudgetChange } from './budgets.js';
import type { Reports } from './reports.js';
import { createSemaphore, type Release } from './semaphore.js';

/**
 * Runs one call to an upstream under its concurrency limit, its breaker and its budget. Whoever finds
 * the concurrency limit reached waits until a call ends, or until the signal aborts. The outcome is
 * reported to the breaker in the background: the caller does not wait for that.
 * @param about for the record of a call that fails
 * @throws UpstreamError when the call failed, or when it was not admitted
 * @throws the signal's reason when the caller gave up: that says nothing about the upstream
 */
export type Guard = <T>(
  signal: AbortSignal,
  call: () => Promise<T>,
  about?: FetchFields,
) => Promise<T>;

export interface GuardOptions {
  /** The upstream's name: of the breaker, and in records. */
  name: string;
  breakers: Breakers;
  reports: Reports;
  /** Calls in flight at once in this process. */
  concurrency: number;
  clock: Clock;
  log: Logger;
  instruments: Instruments;
}

interface Entry {
  admission: Extract<Admission, { allowed: true }>;
  release: Release;
}

export function createGuard(options: GuardOptions): Guard {
  const { name, breakers, reports, concurrency, clock, log, instruments } = options;
  const semaphore = createSemaphore(concurrency);

  function tellChange(change: BudgetChange | undefined, waitMs?: number): void {
    if (change?.change === 'spent') {
      const { budget: provider } = change;
      log.warn({ event: 'provider_budget_spent', provider, retry_after_ms: waitMs });
    }
    if (change?.change === 'free') {
      log.info({ event: 'provider_budget_free', provider: change.budget });
    }
  }

  function refusal({ reason, retryAfterMs }: Extract<Admission, { allowed: false }>) {
    const why = reason === 'budget' ? 'budget spent' : 'breaker open';
    const kind = reason === 'budget' ? 'over_budget' : 'unavailable';
    return new UpstreamError(name, kind, why, { retryAfterMs });
  }

  /** Looks before the wait, so that nobody waits for nothing. */
  async function takeSlot(signal: AbortSignal): Promise<Release> {
    const free = semaphore.tryAcquire();
    if (free) return free;
    const seen = await breakers.look(name);
    if (!seen.allowed) throw refusal(seen);
    return semaphore.acquire(signal);
  }

  async function enter(signal: AbortSignal): Promise<Entry> {
    const release = await takeSlot(signal);
    try {
      const admission = await breakers.acquire(name);
      tellChange(admission.change, admission.allowed ? undefined : admission.retryAfterMs);
      if (!admission.allowed) throw refusal(admission);
      return { admission, release };
    } catch (error) {
      release();
      throw error;
    }
  }

  async function reportSuccess(call: string | undefined): Promise<void> {
    if ((await breakers.succeeded(name, call)) !== 'closed') return;
    log.info({ event: 'breaker_closed', provider: name });
  }

  async function reportFailure(error: UpstreamError, call: string | undefined): Promise<void> {
    const { kind, retryAfterMs } = error;
    if ((await breakers.failed(name, { retryAfterMs }, call)) !== 'opened') return;
    const openMs = retryAfterMs ?? BREAKER_POLICY.firstOpenMs;
    log.warn({ event: 'breaker_open', provider: name, reason: kind, retry_after_ms: openMs });
  }

  /** Logs what the call threw, and gives it as the failure of this upstream. */
  function failureOf(error: unknown, about: FetchFields | undefined): UpstreamError {
    const expected = error instanceof UpstreamError;
    const failure = expected
      ? error
      : new UpstreamError(name, 'bad_answer', 'the adapter failed', { cause: error });
    // The upstream is well: it has told that it knows nothing of this place.
    if (failure.kind === 'not_covered') return failure;
    // A fault of our own needs its stack to be found. An upstream's has none worth keeping.
    const cause = expected ? { reason: failure.message } : { err: failure };
    log.warn({ event: 'upstream_failed', ...about, provider: name, kind: failure.kind, ...cause });
    return failure;
  }

  return async (signal, call, about) => {
    const { admission, release } = await enter(signal);
    const started = clock.monotonic();
    const took = () => (clock.monotonic() - started) / 1000;
    try {
      const value = await call();
      instruments.upstreamCalled(name, 'ok', took());
      reports.add(reportSuccess(admission.call));
      return value;
    } catch (error) {
      if (signal.aborted) {
        const mustTell = admission.probe || admission.call !== undefined;
        if (mustTell) reports.add(breakers.abandoned(name, admission.call));
        throw error;
      }
      const failure = failureOf(error, about);
      const isWell = failure.kind === 'not_covered';
      instruments.upstreamCalled(name, failure.kind, took(), isWell ? undefined : failure.message);
      if (isWell) reports.add(reportSuccess(admission.call));
      // Before the next call can be made: a used-up quota must hold for everybody at once.
      else await reportFailure(failure, admission.call);
      throw failure;
    } finally {
      release();
    }
  };
}
