import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceUnavailableError } from '../../../../src/errors.js';
import { systemClock as clock } from '../../../../src/process/clock.js';
import { connect, type Purpose } from '../../../../src/redis/client/connection.js';
import { listenForAnnouncements } from '../../../../src/redis/fetching/announcements.js';
import { createFetchJobs } from '../../../../src/redis/fetching/jobs.js';
import { createRedisFetchQueue } from '../../../../src/redis/fetching/queue.js';
import { createFetchRecords } from '../../../../src/redis/fetching/record.js';
import { createRuns } from '../../../../src/redis/fetching/run.js';
import { startFetchWorker } from '../../../../src/redis/fetching/worker.js';
import { createGreet, watchWorkers } from '../../../../src/redis/fetching/workers.js';
import { cachedNow } from '../../../../src/weather/cache.js';
import type { Fetcher } from '../../../../src/weather/fetch.js';
import type { FetchQueue } from '../../../../src/weather/queue.js';
import { requestKey } from '../../../../src/weather/request.js';
import { names } from '../../../support/names.js';
import { recordingLog } from '../../../support/records.js';
import { openRelay, type Relay } from '../../../support/relay.js';
import { createGatedStore } from './gated-store.js';
import type { Serial, Checker } from './checker.js';

/** What the provider does with one fetch. */
export interface FetchBehaviour {
  afterMs: number;
  fails: boolean;
}

export const LIFE = { freshMs: 700, staleMs: 2000 };
export const REFRESH_AHEAD_MS = 250;
const SLOTS = 16;

/** One "process" of the test: its own connections, its own subscription, its own identity. */
export interface Member {
  readonly name: string;
  readonly queue: FetchQueue;
  readonly requests: Relay;
  readonly subscriber: Relay;
  /** Until when its connections or its code do not work as they should. */
  disturbedUntil: number;
  isDead(): boolean;
  /** Nothing of it reaches anybody any more. */
  kill(): void;
  /** Its code stands still for so long; then it goes on as if nothing had happened. */
  freeze(ms: number): void;
  /** Takes no more jobs and finishes what runs. */
  retire(): Promise<void>;
  close(): Promise<void>;
}

export async function startMember(options: {
  name: string;
  port: number;
  isWorker: boolean;
  checker: Checker;
  behaviourOf: (key: string) => FetchBehaviour;
}): Promise<Member> {
  const { name, checker, behaviourOf } = options;
  const { log } = recordingLog();
  const ending = new AbortController();
  setMaxListeners(0, ending.signal);
  const wires: Relay[] = [];
  let frozenUntil = -Infinity;
  let isDead = false;

  async function wired(purpose: Purpose) {
    const wire = await openRelay(options.port);
    wires.push(wire);
    const url = `redis://127.0.0.1:${wire.port}`;
    return { wire, client: connect({ kind: 'single', url }, purpose) };
  }
  const [requests, subscriber] = await Promise.all([wired('requests'), wired('subscriber')]);
  const store = createGatedStore(requests.client, (error) => {
    if (!member.isDead()) checker.violated(`${name}: Redis answered ${error.message}`);
  });
  const records = checker.observe(name, createFetchRecords(store, { clock, names }));

  const fetcher: Fetcher = async (request, { fetchId }, signal) => {
    const key = requestKey(request);
    const serial = checker.startFetch(key, fetchId, name);
    const { afterMs, fails } = behaviourOf(key);
    await sleep(afterMs, undefined, { signal }).catch(() => {
      signal.throwIfAborted();
    });
    // A frozen process notices only afterwards that the provider has answered.
    while (clock.monotonic() < frozenUntil) await sleep(frozenUntil - clock.monotonic());
    serial.outcome = fails ? 'failed' : 'ok';
    if (fails) throw new ServiceUnavailableError(`${key} #${serial.serial}`);
    serial.fetchedAt = clock.monotonic();
    serial.freshUntil = serial.fetchedAt + LIFE.freshMs;
    return cachedNow(valueOf(serial), LIFE, serial.fetchedAt, fetchId);
  };

  const announcements = listenForAnnouncements(subscriber.client, { clock, names, store });
  const jobs = createFetchJobs(store, names);
  const workers = watchWorkers({ announcements, jobs });
  const queue = createRedisFetchQueue({
    records,
    jobs,
    announcements,
    workers,
    runFetch: createRuns({ records, fetcher, by: 'replica', clock }).run,
    maxRuns: SLOTS,
    refreshAheadMs: REFRESH_AHEAD_MS,
    clock,
    signal: ending.signal,
  });

  let worker: ReturnType<typeof startFetchWorker> | undefined;
  if (options.isWorker) {
    worker = startFetchWorker({
      client: (await wired('worker')).client,
      store,
      names,
      records,
      runFetch: createRuns({ records, fetcher, by: 'worker', clock }).run,
      greet: createGreet(store, names),
      concurrency: SLOTS,
      clock,
      log,
      signal: ending.signal,
    });
  }

  /** Nothing of it goes on: what is left behind of hundreds would slow down a long run. */
  function end(reason: Error) {
    ending.abort(reason);
    workers.close();
    announcements.close();
    worker?.close();
    store.close();
  }

  const member: Member = {
    name,
    queue,
    requests: requests.wire,
    subscriber: subscriber.wire,
    disturbedUntil: -Infinity,
    isDead: () => isDead,
    kill() {
      isDead = true;
      checker.died(name);
      for (const wire of wires) wire.cut();
      end(new Error('killed'));
    },
    freeze(ms) {
      frozenUntil = Math.max(frozenUntil, clock.monotonic() + ms);
      store.freeze();
      for (const wire of wires) wire.hold();
      setTimeout(() => {
        if (clock.monotonic() < frozenUntil - 1) return;
        store.thaw();
        for (const wire of wires) wire.release();
      }, ms);
    },
    async retire() {
      await worker?.drain(10_000);
    },
    async close() {
      if (!isDead) {
        for (const wire of wires) wire.mend();
        await member.retire();
        end(new Error('closed'));
      }
      for (const wire of wires) wire.close();
    },
  };
  return member;
}

function valueOf({ serial }: Serial) {
  const weather = { temperature: 1, condition: 'Fog', humidity: 90, wind_speed: 3 };
  return { kind: 'weather', weather, provider: `serial-${serial}` } as const;
}
