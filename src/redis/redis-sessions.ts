import { StoreUnavailableError } from '../errors.js';
import type { Clock } from '../weather/types.js';
import {
  MAX_RECENT_SEARCHES,
  type AnsweredSearch,
  type RecentSearch,
  type SessionTtls,
  type Sessions,
} from '../recent-searches.js';
import { createBatcher } from './batcher.js';
import type { RedisStore } from './client/port.js';
import { isUnexpected } from './client/redis-errors.js';
import type { Names } from './names.js';
import { createPendingWrites } from './pending-writes.js';
import { CLEAR, LIST, RECORD } from './session-scripts.js';
import { replyOf } from './values.js';

/**
 * Maximum size of the key and the value of an unconfirmed session in bytes, so that it takes at most 300
 * bytes of Redis's memory. With a prefix of seven letters, names may have 130 bytes together. A search
 * with longer names is not recorded until the client returns the cookie.
 */
const MAX_UNCONFIRMED_BYTES = 242;

/** One recording. */
interface Recording {
  key: string;
  ttlSeconds: number;
  answeredAtUs: number;
  /** The line of the search without its instant, or '' to confirm the session only. */
  line: string;
}

/** Digits of an instant in a line. */
const INSTANT_BYTES = 16;

/**
 * Creates sessions with their recent searches, shared by all replicas.
 * @returns `drain` waits until no recording is pending, at most `limitMs` milliseconds
 */
export function createRedisSessions(options: {
  store: RedisStore;
  names: Names;
  ttls: SessionTtls;
  clock: Pick<Clock, 'monotonic'>;
}): Sessions & { drain: (limitMs: number) => Promise<void> } {
  const { store, names, ttls, clock } = options;
  const confirmedTtl = ttls.ttlSeconds;
  const unconfirmedTtl = Math.min(confirmedTtl, ttls.unconfirmedTtlSeconds);
  const listScript = store.script('weatherSessionList', LIST, replyOf('string'));
  const recordScript = store.script('weatherSessionRecord', RECORD, replyOf());
  const clearScript = store.script('weatherSessionClear', CLEAR, replyOf());
  const pendingWrites = createPendingWrites(clock);

  /**
   * Sends recordings. Returns false if they must be retried.
   * @param argsOf returns the arguments of RECORD for the recordings
   * @param isLast whether to ignore the circuit breaker, which may have been open at every earlier attempt
   */
  async function write(
    keys: string[],
    argsOf: () => (string | number)[],
    isLast: boolean,
  ): Promise<boolean> {
    if (!isLast && !store.isWritable(keys[0] ?? '')) return false;
    try {
      const allArgs = [confirmedTtl, unconfirmedTtl, MAX_RECENT_SEARCHES, ...argsOf()];
      await recordScript(keys, allArgs, isLast ? { patient: true } : {});
      return true;
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      return isUnexpected(error.cause);
    }
  }

  const recordBatch = createBatcher<Recording, undefined>({
    async send(batch) {
      const keys = batch.map(({ key }) => key);
      const argsOf = recordingsSince(clock, batch);
      await pendingWrites.add(batch.length, (isLast) => write(keys, argsOf, isLast));
      return [];
    },
    groupOf: ({ key }) => store.topology.groupOf(key),
  });

  return {
    canRecord: (id) => store.isWritable(names.session(id)),
    async record({ id, confirmed }, search) {
      const key = names.session(id);
      const line = search ? lineOf(search) : '';
      const isTooLong = () =>
        Buffer.byteLength(`${key}${line}`) + INSTANT_BYTES > MAX_UNCONFIRMED_BYTES;
      if (!confirmed && (!search || isTooLong())) return;
      const ttlSeconds = confirmed ? confirmedTtl : unconfirmedTtl;
      await recordBatch({ key, ttlSeconds, answeredAtUs: search?.answeredAtUs ?? 0, line });
    },
    async searches(id) {
      const ttlArgs = [confirmedTtl, unconfirmedTtl];
      const [lines] = await listScript([names.session(id)], ttlArgs, { patient: true });
      return searchesOf(lines);
    },
    async clearSearches(id) {
      await clearScript([names.session(id)], [], { patient: true });
    },
    drain: (limitMs) => pendingWrites.drain(limitMs),
  };
}

/**
 * Returns a function that makes the arguments of RECORD at any later time. Ages count from the newest search of the
 * batch, and from now: the time that a search waits in the batch must not make it older than a search that is recorded
 * later over the same connection.
 */
function recordingsSince(clock: Pick<Clock, 'monotonic'>, batch: Recording[]) {
  const began = clock.monotonic();
  const newestUs = Math.max(...batch.map(({ answeredAtUs }) => answeredAtUs));
  return () => {
    const passedUs = Math.round((clock.monotonic() - began) * 1000);
    const ageOf = ({ answeredAtUs }: Recording) => newestUs - answeredAtUs + passedUs;
    return batch.flatMap((each) => [each.ttlSeconds, ageOf(each), each.line]);
  };
}

function lineOf({ placeKey, city, country }: AnsweredSearch): string {
  return `\t${placeKey}\t${JSON.stringify([city, country])}\n`;
}

/** Parses the lines of a session. Skips those that are damaged. */
function searchesOf(lines: string): RecentSearch[] {
  return lines.split('\n').flatMap(searchOf).slice(0, MAX_RECENT_SEARCHES);
}

function searchOf(line: string): RecentSearch[] {
  try {
    const [city, country] = JSON.parse(line.split('\t')[2] ?? '') as unknown[];
    return typeof city === 'string' && typeof country === 'string' ? [{ city, country }] : [];
  } catch {
    return [];
  }
}
