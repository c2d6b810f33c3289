import type { Logger } from 'pino';
import { UpstreamError } from '../errors.js';
import type { Instruments } from '../process/instruments.js';
import { BREAKER_POLICY, type Breakers } from './breakers.js';
import { createSemaphore, type Release } from './semaphore.js';

/**
 * Runs one call to an upstream under its concurrency cap and its breaker.
 * @throws UpstreamError when the call failed or was not admitted
 * @throws the signal's reason when the caller gave up: that says nothing about the upstream
 */
export type Guard = <T>(signal: AbortSignal, call: () => Promise<T>) => Promise<T>;

export interface GuardOptions {
  /** The upstream's name: of the breaker, and in records. */
  name: string;
  breakers: Breakers;
  /** Calls in flight at once in this process. */
  concurrency: number;
  log: Logger;
  instruments: Instruments;
}

/** Waiters per slot: more could not be served within a request's time anyway. */
const WAITERS_PER_SLOT = 25;
const BUSY_RETRY_MS = 1_000;

export function createGuard(options: GuardOptions): Guard {
  const { name, breakers, concurrency, log, instruments } = options;
  const semaphore = createSemaphore(concurrency, concurrency * WAITERS_PER_SLOT);

  async function admit(): Promise<{ probe: boolean }> {
    const admission = await breakers.acquire(name);
    if (admission.allowed) return admission;
    const { retryAfterMs } = admission;
    throw new UpstreamError(name, 'unavailable', 'not asked, its breaker is open', {
      retryAfterMs,
    });
  }

  /** The breaker before the line, so that an open one costs no waiting; and again after it. */
  async function enter(signal: AbortSignal): Promise<{ probe: boolean; release: Release }> {
    const { probe } = await admit();
    const free = semaphore.tryAcquire();
    if (free) return { probe, release: free };
    // Whoever waits must not hold the only probe meanwhile.
    if (probe) await breakers.abandoned(name);
    const release = await semaphore.acquire(signal);
    if (!release) {
      throw new UpstreamError(name, 'unavailable', 'not asked, too many calls are waiting', {
        retryAfterMs: BUSY_RETRY_MS,
      });
    }
    try {
      return { ...(await admit()), release };
    } catch (error) {
      release();
      throw error;
    }
  }

  async function reportFailure(error: unknown): Promise<UpstreamError> {
    const expected = error instanceof UpstreamError;
    const failure = expected
      ? error
      : new UpstreamError(name, 'bad_answer', 'the adapter failed', { cause: error });
    const { kind, retryAfterMs, message } = failure;
    instruments.upstreamCalled(name, kind);
    // A fault of our own needs its stack to be found; an upstream's has none worth keeping.
    const cause = expected ? { reason: message } : { err: failure };
    log.warn({ event: 'upstream_failed', provider: name, kind, ...cause });
    if ((await breakers.failed(name, { retryAfterMs })) === 'opened') {
      const openMs = retryAfterMs ?? BREAKER_POLICY.firstOpenMs;
      log.warn({ event: 'breaker_open', provider: name, reason: kind, retry_after_ms: openMs });
    }
    return failure;
  }

  return async (signal, call) => {
    const { probe, release } = await enter(signal);
    try {
      const value = await call();
      instruments.upstreamCalled(name, 'ok');
      if ((await breakers.succeeded(name)) === 'closed') {
        log.info({ event: 'breaker_closed', provider: name });
      }
      return value;
    } catch (error) {
      if (!signal.aborted) throw await reportFailure(error);
      if (probe) await breakers.abandoned(name);
      throw error;
    } finally {
      release();
    }
  };
}
