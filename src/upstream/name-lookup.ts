import { lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { createSemaphore } from './semaphore.js';

/**
 * Returns the number of lookups that leave a thread to the lookups of Redis. Node.js looks names up by `getaddrinfo`, which
 * cannot be aborted, in at most half of its threads (libuv/libuv, threadpool.c, slow_work_thread_threshold).
 */
export function lookupsIn(threads: number): number {
  return Math.max(1, Math.ceil(threads / 2) - 1);
}

/** Creates a function for the option `lookup` of connections, with a limit on the lookups at a time. */
export function createNameLookup(
  concurrency: number,
  lookup: LookupFunction = systemLookup,
): LookupFunction {
  const slots = createSemaphore(concurrency);
  return (name, options, callback) => {
    void slots.acquire().then((release) => {
      lookup(name, options, (...found) => {
        release();
        callback(...found);
      });
    });
  };
}
