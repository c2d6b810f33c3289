import { setTimeout as sleep } from 'node:timers/promises';
import { ifUnavailable, ServiceUnavailableError } from '../../errors.js';
import type { Cached } from '../../weather/cache.js';
import type { FetchIdentity, Fetcher } from '../../weather/fetch.js';
import { requestKey } from '../../weather/request.js';
import type { Clock } from '../../weather/types.js';
import { RETRY_MS } from '../client/waits.js';
import type { End, Failure } from './announcements.js';
import { insisting, LEASE_MS, type FetchRecords } from './record.js';

/**
 * Runs a fetch, as README.md in this folder says. The caller has the outcome without a wait for Redis.
 * @throws ServiceUnavailableError when the fetch failed; those who wait for it are told
 * @throws the signal's reason when it aborts; the fetch is free to be run by somebody else then
 */
export type RunFetch = Fetcher;

/** @returns `settled` resolves when nothing runs, and Redis has heard of all ends or cannot */
export function createRuns(options: {
  records: FetchRecords;
  fetcher: Fetcher;
  by: End['by'];
  clock: Clock;
}): {
  run: RunFetch;
  settled: () => Promise<void>;
} {
  const { records, fetcher, by, clock } = options;
  const ends = new Set<Promise<unknown>>();

  async function endWith(
    fetched: Promise<Cached>,
    key: string,
    { fetchId, uncoordinated }: FetchIdentity,
    signal: AbortSignal,
  ): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    let isOver = false;
    let leaseEndsAt = clock.monotonic() + LEASE_MS;
    /** Whether Redis said who has the record. */
    let isSettled = uncoordinated === undefined;

    /** Goes out before each other command until then. */
    function claim(): void {
      if (isSettled) return;
      const question = { newId: fetchId, runAfterMs: undefined, freshForMs: 0 };
      records.ask(key, question, insisting()).catch(() => undefined);
    }

    async function renew(): Promise<void> {
      const sentAt = clock.monotonic();
      claim();
      const isHeld = await ifUnavailable(records.renew(key, fetchId), undefined);
      isSettled ||= isHeld !== undefined;
      if (isHeld) leaseEndsAt = sentAt + LEASE_MS;
      if (!isOver) renewIn(isHeld === undefined ? RETRY_MS : LEASE_MS / 3);
    }

    /** By a plain timer: to abort a promised one costs 50 µs of each fetch. */
    function renewIn(waitMs: number): void {
      timer = setTimeout(() => void renew().catch(() => undefined), waitMs);
    }

    // Redis may have given it this fetch, and have said so too late.
    renewIn(uncoordinated === undefined ? LEASE_MS / 3 : 0);
    const outcome = await fetched.then(
      (entry) => ({ entry }),
      (error: unknown) => (signal.aborted ? {} : { failure: failureOf(error) }),
    );
    isOver = true;
    clearTimeout(timer);
    const tell = () => {
      claim();
      return ifUnavailable(records.end(key, { fetchId, by, ...outcome }), undefined);
    };
    while ((await tell()) === undefined && clock.monotonic() < leaseEndsAt) {
      await sleep(RETRY_MS);
    }
  }

  return {
    run(request, identity, signal, time) {
      const fetched = fetcher(request, identity, signal, time);
      const end = endWith(fetched, requestKey(request), identity, signal);
      ends.add(end);
      void end.finally(() => ends.delete(end));
      return fetched;
    },
    async settled() {
      await Promise.allSettled(ends);
    },
  };
}

function failureOf(error: unknown): Failure {
  const { message, retryAfterSeconds } =
    error instanceof ServiceUnavailableError
      ? error
      : new ServiceUnavailableError('The upstream service did not answer');
  return { message, retryAfterMs: retryAfterSeconds * 1000 };
}
