import { StoreUnavailableError } from '../errors.js';
import {
  MAX_RECENT_SEARCHES,
  type AnsweredSearch,
  type RecentSearch,
  type SessionLives,
  type Sessions,
} from '../recent-searches.js';
import { createBatcher, type Batch } from './batcher.js';
import type { RedisStore } from './client/store.js';
import type { Names } from './names.js';
import { createPendingWrites } from './pending-writes.js';
import { LIST, RECORD } from './session-scripts.js';

const UNCONFIRMED = '?';

/**
 * Maximum size of the key and the value of an unconfirmed session in bytes, so that it takes at most 300
 * bytes of Redis's memory. With a prefix of seven letters, names may have 130 bytes together. A search
 * with longer names is not recorded until the client returns the cookie.
 */
const MAX_UNCONFIRMED_BYTES = 242;

/** Error replies that are not caused by the state of Redis: the same command would fail again. */
const PERMANENT = /^(?:ERR|NOPERM)\b/;

/** One recording, as the arguments of RECORD. */
interface Recording {
  key: string;
  mark: string;
  line: string;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/**
 * Sessions with their recent searches, shared by all replicas.
 * @returns `drain` waits until no recording is pending, at most `limitMs` milliseconds
 */
export function createRedisSessions(
  store: RedisStore,
  names: Names,
  lives: SessionLives,
): Sessions & { drain: (limitMs: number) => Promise<void> } {
  const { ttlSeconds } = lives;
  const unconfirmedTtlSeconds = Math.min(ttlSeconds, lives.unconfirmedTtlSeconds);
  const list = store.script('weatherSessionList', LIST);
  const recordAll = store.script('weatherSessionRecord', RECORD);
  const pendingWrites = createPendingWrites();

  /** @returns false if it must be retried */
  async function write(keys: string[], args: string[]): Promise<boolean> {
    if (!store.isWritable(keys[0] ?? '')) return false;
    try {
      await recordAll(keys, [ttlSeconds, unconfirmedTtlSeconds, MAX_RECENT_SEARCHES, ...args]);
      return true;
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      return error.cause instanceof Error && PERMANENT.test(error.cause.message);
    }
  }

  async function send(batch: Batch<Recording>): Promise<void> {
    const keys = batch.map(({ key }) => key);
    const args = batch.flatMap(({ mark, line }) => [mark, line]);
    try {
      await pendingWrites.add(batch.length, () => write(keys, args));
      for (const { resolve } of batch) resolve();
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  const add = createBatcher<Recording>({
    send: (batch) => void send(batch),
    groupOf: ({ key }) => store.topology.groupOf(key),
    atEndOfTurn: store.atEndOfTurn,
  });

  return {
    canRecord: (id) => store.isWritable(names.session(id)),
    async record({ id, confirmed }, search) {
      const key = names.session(id);
      const mark = confirmed ? '' : UNCONFIRMED;
      const line = search ? lineOf(search) : '';
      const bytes = Buffer.byteLength(`${key}${mark}${line}`);
      if (!confirmed && bytes > MAX_UNCONFIRMED_BYTES) return;
      await new Promise<void>((resolve, reject) => {
        add({ key, mark, line, resolve, reject });
      });
    },
    async searches(id) {
      const value = await list([names.session(id)], [ttlSeconds], { patient: true });
      return typeof value === 'string' ? searchesOf(value) : [];
    },
    async clearSearches(id) {
      const key = names.session(id);
      await store.run(key, (redis) => redis.del(key), { patient: true });
    },
    drain: (limitMs) => pendingWrites.drain(limitMs),
  };
}

function lineOf({ instantUs, placeKey, city, country }: AnsweredSearch): string {
  const instant = String(instantUs).padStart(16, '0');
  return `${instant}\t${placeKey}\t${JSON.stringify([city, country])}\n`;
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
