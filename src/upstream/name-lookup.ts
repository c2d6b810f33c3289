import { promises as dns, type LookupAddress, type LookupOptions } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { inTime } from '../base/time-limit.js';
import { HOUR_MS } from '../weather/durations.js';
import type { Clock } from '../weather/types.js';
import { createSemaphore } from './semaphore.js';

/**
 * Milliseconds that a connection waits for a lookup if the addresses of an earlier one are known. Longer: each call waits
 * longer while the lookups are slow. Shorter: a provider that has moved is called at its old address more often.
 */
const SLOW_MS = 500;
/**
 * Milliseconds for which the addresses of a lookup are used while later lookups are slow or fail. Longer: a provider that
 * has moved is called at its old address for longer.
 */
const MAX_AGE_MS = HOUR_MS;

/**
 * Returns the number of lookups that leave a thread to the lookups of Redis. Node.js looks names up by `getaddrinfo`, which
 * cannot be aborted, in at most half of its threads (libuv/libuv, threadpool.c, slow_work_thread_threshold).
 * @param threads the size of the thread pool of Node.js
 */
export function lookupsIn(threads: number): number {
  return Math.max(1, Math.ceil(threads / 2) - 1);
}

/**
 * Creates a function for the option `lookup` of connections. Connections that need the same name share one lookup, and
 * none starts for a name while another one runs, however long that takes: the time limit of a call ends only its own wait.
 * If a lookup is slow or fails, a connection gets the addresses that were found before.
 * @param options.concurrency the maximum number of lookups at a time
 * @param options.find finds the addresses of a name
 */
export function createNameLookup(options: {
  concurrency: number;
  clock: Pick<Clock, 'monotonic'>;
  find?: (name: string, options: LookupOptions & { all: true }) => Promise<LookupAddress[]>;
}): LookupFunction {
  const { clock, find = dns.lookup } = options;
  const slots = createSemaphore(options.concurrency);
  const inFlight = new Map<string, Promise<LookupAddress[]>>();
  /** The addresses that each lookup found last. The configuration names the hosts, so there are few. */
  const known = new Map<string, { addresses: LookupAddress[]; until: number }>();

  async function start(key: string, ...request: Parameters<typeof find>): Promise<LookupAddress[]> {
    const release = await slots.acquire();
    try {
      const addresses = await find(...request);
      known.set(key, { addresses, until: clock.monotonic() + MAX_AGE_MS });
      return addresses;
    } finally {
      release();
      inFlight.delete(key);
    }
  }

  async function addressesOf(name: string, given: LookupOptions): Promise<LookupAddress[]> {
    const request = { ...given, all: true } as const;
    const key = JSON.stringify([name, request]);
    const lookup = inFlight.get(key) ?? start(key, name, request);
    inFlight.set(key, lookup);
    const last = known.get(key);
    if (!last || last.until < clock.monotonic()) return lookup;
    return inTime(lookup, SLOW_MS, () => new Error('slow')).catch(() => last.addresses);
  }

  return (name, given, callback) => {
    addressesOf(name, given).then(
      (addresses) => {
        const [first] = addresses;
        if (given.all) callback(null, addresses);
        else callback(null, first?.address ?? '', first?.family);
      },
      (error: unknown) => {
        callback(error as Error, '');
      },
    );
  };
}
