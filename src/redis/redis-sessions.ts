import { setTimeout as sleep } from 'node:timers/promises';
import { StoreUnavailableError } from '../base/errors.js';
import type { Clock } from '../weather/types.js';
import {
  MAX_RECENT_SEARCHES,
  type TimedSearch,
  type RecentSearch,
  type SessionTtls,
  type Sessions,
} from '../weather/recent-searches.js';
import { createBatcher } from './client/batcher.js';
import { isUnexpected } from './client/redis-errors.js';
import type { GuardedRedis } from './client/guarded-redis.js';
import { readScript, replyOf } from './client/script.js';
import { PATIENT_MS, RECORDING_MS } from './client/timing.js';
import type { Names } from './names.js';
import { MAX_STORED_BYTES, parseJson } from './untrusted.js';

/**
 * Maximum bytes of key and value of an unconfirmed session, which then takes at most 300 bytes in
 * Redis. A search with longer names is not recorded until the client returns the cookie.
 */
const MAX_UNCONFIRMED_BYTES = 242;

/** Maximum number of recordings that are retried (20 MB): three seconds at 7,000 per second. */
const MAX_RETRIED = 20_000;

interface Recording {
  key: string;
  ttlSeconds: number;
  respondedAtUs: number;
  /** The line of the search without its instant, or '' to confirm the session only. */
  line: string;
}

/** Digits of an instant in a line. */
const INSTANT_BYTES = 16;

/**
 * Creates sessions with their recent searches, shared by all replicas.
 * @returns `drain` waits until no recording is retried, at most `limitMs` milliseconds
 */
export function createRedisSessions(options: {
  redis: GuardedRedis;
  names: Names;
  ttls: SessionTtls;
  clock: Pick<Clock, 'monotonic'>;
}): Sessions & { drain: (limitMs: number) => Promise<void> } {
  const { redis, names, ttls, clock } = options;
  const confirmedTtl = ttls.ttlSeconds;
  const unconfirmedTtl = Math.min(confirmedTtl, ttls.unconfirmedTtlSeconds);
  const list = readScript('typed', 'session', 'session-list');
  const record = readScript('typed', 'session', 'session-record');
  const listScript = redis.script('weatherSessionList', list, replyOf('string'));
  const recordScript = redis.script('weatherSessionRecord', record, replyOf());
  const common: (string | number)[] = [confirmedTtl, unconfirmedTtl, MAX_STORED_BYTES];
  const retried = new Set<Promise<unknown>>();
  let retriedItems = 0;

  /**
   * Returns the function that makes the arguments of session-record.lua whenever the command is
   * sent. Ages count from the newest search of the batch: the time that a search waits in the batch
   * must not make it older than a search that is recorded later.
   */
  function argsSince(batch: Recording[]): () => (string | number)[] {
    const began = clock.monotonic();
    const newestUs = Math.max(...batch.map(({ respondedAtUs }) => respondedAtUs));
    return () => {
      const args = [...common, MAX_RECENT_SEARCHES];
      const passedUs = Math.round((clock.monotonic() - began) * 1000);
      for (const { ttlSeconds, respondedAtUs, line } of batch) {
        args.push(ttlSeconds, newestUs - respondedAtUs + passedUs, line);
      }
      return args;
    };
  }

  /**
   * Retries a recording in the background. If Redis hangs, an attempt runs later than its arguments
   * assume, and its age is too low. So the recording is sent once more after the reply, with the
   * right age.
   */
  function retry(keys: string[], args: () => (string | number)[]): void {
    if (retriedItems + keys.length > MAX_RETRIED) {
      redis.lost('search', keys.length);
      return;
    }
    retriedItems += keys.length;
    const recording = recordScript(keys, args, RECORDING_MS)
      .then(
        // The recording is stored: only the order of searches may be wrong if this fails.
        () => recordScript(keys, args, PATIENT_MS).catch(redis.report),
        (error: unknown) => {
          redis.lost('search', keys.length);
          redis.report(error);
        },
      )
      .finally(() => {
        retriedItems -= keys.length;
        retried.delete(recording);
      });
    retried.add(recording);
  }

  const recordTogether = createBatcher<Recording, undefined>({
    groupOf: redis.masters.groupOf,
    async send(batch) {
      const keys = batch.map(({ key }) => key);
      const args = argsSince(batch);
      try {
        await recordScript(keys, args);
      } catch (error) {
        if (!(error instanceof StoreUnavailableError)) throw error;
        if (isUnexpected(error.cause)) redis.lost('search', keys.length);
        else retry(keys, args);
      }
      return [];
    },
  });

  return {
    canRecord: redis.isWritable,
    lost() {
      redis.lost('search');
    },
    record({ id, confirmed }, search) {
      const key = names.session(id);
      const line = search ? lineOf(search) : '';
      const isTooLong = () =>
        Buffer.byteLength(`${key}${line}`) + INSTANT_BYTES > MAX_UNCONFIRMED_BYTES;
      if (!confirmed && (!search || isTooLong())) return Promise.resolve();
      const ttlSeconds = confirmed ? confirmedTtl : unconfirmedTtl;
      return recordTogether({ key, ttlSeconds, respondedAtUs: search?.respondedAtUs ?? 0, line });
    },
    async searches(id) {
      const [lines] = await listScript([names.session(id)], common, PATIENT_MS);
      return searchesOf(lines);
    },
    async clearSearches(id) {
      await redis.command(() => redis.client.del(names.session(id)), PATIENT_MS);
    },
    async drain(limitMs) {
      await Promise.race([Promise.all(retried), sleep(limitMs, undefined, { ref: false })]);
    },
  };
}

/** Formats a search. The end of its instant identifies the recording if it is repeated. */
function lineOf({ placeKey, city, country, respondedAtUs }: TimedSearch): string {
  return `\t${placeKey}\t${JSON.stringify([city, country, respondedAtUs % 1_000_000])}\n`;
}

/** Parses the lines of a session. Skips those that are damaged. */
function searchesOf(lines: string): RecentSearch[] {
  return lines.split('\n').flatMap(searchOf).slice(0, MAX_RECENT_SEARCHES);
}

function searchOf(line: string): RecentSearch[] {
  const parsed = parseJson(line.split('\t')[2] ?? '');
  const [city, country] = Array.isArray(parsed) ? (parsed as unknown[]) : [];
  return typeof city === 'string' && typeof country === 'string' ? [{ city, country }] : [];
}
