import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadConfig } from '../../../src/config/config.js';
import { noInstruments } from '../../../src/base/instruments.js';
import { connect } from '../../../src/redis/client/connection.js';
import { createGuardedRedis } from '../../../src/redis/client/guarded-redis.js';
import { createSharedFetching } from '../../../src/redis/fetching/index.js';
import type { Names } from '../../../src/redis/names.js';
import type { CacheEntry } from '../../../src/weather/cache-entry.js';
import { createFetcher, register } from '../../../src/weather/fetch.js';
import { POSITION } from '../../../src/weather/kinds/position.js';
import { systemClock as clock } from '../../support/manual-clock.js';
import { eventually } from '../../support/eventually.js';
import type { Lifetime } from '../../support/lifetime.js';
import { recordingLog } from '../../support/records.js';
import { scope } from '../../support/scope.js';

/** How often a member looks whether it is disturbed, and how late that may be, in milliseconds. */
const [WATCH_MS, MAX_LATE_MS] = [10, 500];

/** The responses of the stub provider. */
export interface Provider {
  delayMs: number;
  failure?: Error;
  ttl: { freshMs: number; staleMs: number };
}

export const requestOf = (name: string) => ({ city: name, countryCode: 'DE', name });

export type Member = Awaited<ReturnType<typeof startMember>>;

/**
 * Starts the fetching of one process: its own connections, and a stub provider.
 */
export async function startMember(
  t: Lifetime,
  options: {
    port: number;
    names: Names;
    /** `both`: a replica that runs a worker. */
    role: 'replica' | 'worker' | 'both';
    provider: Provider;
    env?: Record<string, string>;
  },
) {
  const { names, provider, role } = options;
  const address = { kind: 'single', url: `redis://127.0.0.1:${options.port}` } as const;
  const { log, records } = recordingLog();
  const ending = new AbortController();
  setMaxListeners(0, ending.signal);
  const closers: (() => Promise<void> | void)[] = [];
  const drains: ((limitMs: number) => Promise<void>)[] = [];
  let isDraining = false;
  const guarded = createGuardedRedis({
    client: connect(address, 'requests'),
    ...{ names, clock, log, instruments: noInstruments },
  });
  const shared = createSharedFetching({
    ...{ address, redis: guarded, names, clock, log },
    config: loadConfig(options.env ?? {}),
    lifecycle: {
      get isDraining() {
        return isDraining;
      },
      ending: ending.signal,
      onDrain: (drain: (limitMs: number) => Promise<void>) => void drains.push(drain),
      onClose: (close: () => Promise<void> | void) => void closers.push(close),
    } as never,
  });

  /** Calls to the provider by name. */
  const calls = new Map<string, number>();
  const position = register({
    kind: POSITION,
    async fetch({ name }, { signal }) {
      calls.set(name, (calls.get(name) ?? 0) + 1);
      await sleep(provider.delayMs, undefined, { signal });
      if (provider.failure) throw provider.failure;
      return { value: null, provider: 'stub' };
    },
    ttlOf: () => provider.ttl,
  });
  const fetching = createFetcher({
    ...{ registrations: [position], timeoutMs: 60_000, clock, log },
  });
  const cache = role !== 'worker' ? shared.sharedCache(fetching) : undefined;
  if (role !== 'replica') shared.startWorker(fetching);
  await eventually(() => guarded.state().wasReached, 'Redis');
  let wasDisturbed = false;
  let watchedAt = performance.now();
  const watching = setInterval(() => {
    const lateMs = performance.now() - watchedAt - WATCH_MS;
    watchedAt = performance.now();
    wasDisturbed ||= lateMs > MAX_LATE_MS || lacksRedis();
  }, WATCH_MS);
  const lacksRedis = () =>
    !guarded.isWritable() || records.some((record) => record['uncoordinated']);

  const member = {
    calls: (name: string) => calls.get(name) ?? 0,
    records,
    /** Whether Redis did not reply in time, or this process was late, as on a busy machine. */
    wasDisturbed: () => wasDisturbed || lacksRedis(),
    refresh: (name: string) => cache?.refresh(POSITION, requestOf(name), 20_000),
    backlog: () => shared.backlog(),
    /** Requests a key, as the lookup of a process does. */
    ask(name: string, given = scope()): Promise<CacheEntry<unknown>> {
      const ask = async () => {
        const { entry, fetch } = await cache!.find(POSITION, requestOf(name));
        return entry && entry.freshUntil > clock.monotonic() ? entry : fetch(given);
      };
      const asked = ask();
      // A test that has failed no longer waits for it.
      asked.catch(() => undefined);
      return asked;
    },
    drain: (limitMs: number) => {
      isDraining = true;
      return Promise.all(drains.map((drain) => drain(limitMs)));
    },
    abort: () => {
      ending.abort(new Error('The process ends'));
    },
    async close() {
      clearInterval(watching);
      ending.abort(new Error('The process ends'));
      const close = async () => {
        for (const closer of closers.toReversed()) await closer();
      };
      await Promise.race([close(), sleep(500)]);
      guarded.close();
    },
  };
  t.after(() => member.close());
  return member;
}

/** The number of calls of all members for a key. */
export const callsOf = (members: Member[], name: string): number =>
  members.reduce((sum, member) => sum + member.calls(name), 0);
