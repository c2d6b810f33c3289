import type { Logger } from 'pino';
import { UpstreamError } from '../errors.js';
import type { Instruments } from '../process/instruments.js';
import type { Clock, FetchCall, FetchFields } from '../weather/types.js';
import { BREAKER_POLICY, type Breaker } from './breaker.js';
import type { CallBudgets } from './budgets.js';
import { createSemaphore } from './semaphore.js';

export interface GuardedCall<T> extends FetchCall {
  call: () => Promise<T>;
  /** Looks for an answer that came while this call waited for others, and makes it needless. */
  instead?: () => Promise<T | undefined>;
}

/**
 * Runs one call to an upstream under its concurrency limit, its breaker and its budget.
 * @throws UpstreamError when the call failed, or when it was not admitted
 * @throws the signal's reason when the caller gave up
 */
export type Guard = <T>(call: GuardedCall<T>) => Promise<T>;

/** What the guards of all upstreams have in common. */
export interface Guarding {
  /** By an upstream's name. */
  breakerOf: (upstream: string) => Breaker;
  budgets: CallBudgets;
  /** Aborts when the process ends. A call that fails from then on says nothing about the upstream. */
  ending: AbortSignal;
  /** Calls in flight at one upstream, in this process. */
  concurrency: number;
  clock: Clock;
  log: Logger;
  instruments: Instruments;
}

export function createGuard(name: string, guarding: Guarding): Guard {
  const { budgets, ending, concurrency, clock, log, instruments } = guarding;
  const breaker = guarding.breakerOf(name);
  const semaphore = createSemaphore(concurrency);

  function assertClosed(): void {
    const retryAfterMs = breaker.refusesMs();
    if (retryAfterMs > 0) {
      // A caller sees only this call, so it names the failure of an earlier one.
      const message = `breaker open (${breaker.openedBy()})`;
      throw new UpstreamError(name, 'unavailable', message, { retryAfterMs });
    }
  }

  /** @throws UpstreamError when no call may be made, for a budget or a quota */
  async function countCall({ reserve = false, time }: GuardedCall<unknown>): Promise<void> {
    const { waitMs, quotaMs } = await budgets.take(name, { reserve }, time);
    if (quotaMs > 0) {
      const failure = new UpstreamError(name, 'unavailable', 'quota used up', {
        retryAfterMs: quotaMs,
      });
      fail('quota', failure, 'told by another process');
      throw failure;
    }
    if (waitMs > 0) {
      throw new UpstreamError(name, 'over_budget', 'budget spent', { retryAfterMs: waitMs });
    }
  }

  function fail(kind: string, { reason, retryAfterMs }: UpstreamError, detail?: string): void {
    if (!breaker.failed(reason, retryAfterMs)) return;
    const openMs = retryAfterMs ?? BREAKER_POLICY.firstOpenMs;
    const fields = {
      provider: name,
      reason: kind,
      ...(detail && { detail }),
      retry_after_ms: openMs,
    };
    log[detail ? 'info' : 'warn']({ event: 'breaker_open', ...fields });
  }

  function succeed(): void {
    if (breaker.succeeded()) log.info({ event: 'breaker_closed', provider: name });
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

  async function run<T>({ signal, call, about, time }: GuardedCall<T>): Promise<T> {
    const started = clock.monotonic();
    const took = () => (clock.monotonic() - started) / 1000;
    try {
      const value = await call();
      instruments.upstreamCalled(name, 'ok', took());
      succeed();
      return value;
    } catch (error) {
      signal.throwIfAborted();
      ending.throwIfAborted();
      const failure = failureOf(error, about);
      const { kind, message, retryAfterMs } = failure;
      const isWell = kind === 'not_covered';
      instruments.upstreamCalled(name, kind, took(), isWell ? undefined : message);
      if (isWell) succeed();
      else fail(kind, failure);
      // Before the next call can be made: a used-up quota must hold for everybody at once.
      if (kind === 'quota') await budgets.quotaUsedUp(name, retryAfterMs ?? 0, time);
      throw failure;
    }
  }

  return async (guarded) => {
    const { signal, instead } = guarded;
    // Before the wait, so that nobody waits for nothing, and after it.
    assertClosed();
    const free = semaphore.tryAcquire();
    const release = free ?? (await semaphore.acquire(signal));
    let isProbe = false;
    try {
      const found = free ? undefined : await instead?.();
      if (found !== undefined) return found;
      assertClosed();
      isProbe = breaker.begin();
      await countCall(guarded);
      signal.throwIfAborted();
      return await run(guarded);
    } finally {
      if (isProbe) breaker.probeEnded();
      release();
    }
  };
}
