import {
  MAX_RECENT_SEARCHES,
  type RecentSearch,
  type Search,
  type SessionLives,
  type Sessions,
} from '../weather/searches.js';
import type { StoreTime } from '../weather/scope.js';
import { createBatcher } from './batcher.js';
import type { RedisStore } from './client/store.js';
import type { Names } from './names.js';
import { createRecordings, KEPT_MS } from './recordings.js';
import { LIST, RECORD } from './session-scripts.js';

const UNCONFIRMED = '?';
const HEAD = /^[0-9a-z]{1,11}\??\n/;

/**
 * A session that is not confirmed takes at most 300 bytes of Redis's memory; so much is left for its
 * key and its value. With a prefix of seven letters that is enough for names of 130 bytes together. A
 * search with longer ones is not kept until the cookie has come back.
 */
const MAX_UNCONFIRMED_BYTES = 242;

/** What RECORD is told of one session: its key, and its own four arguments. */
interface Recording {
  key: string;
  args: [issuedAt: string, mark: string, place: string, line: string];
}

/** Sessions with their recent searches, shared by all replicas. */
export function createRedisSessions(
  store: RedisStore,
  names: Names,
  lives: SessionLives,
): Sessions & { settled: () => Promise<void> } {
  const { ttlSeconds } = lives;
  const shortLife = Math.min(ttlSeconds, lives.unconfirmedTtlSeconds);
  const list = store.script('weatherSessionList', LIST);
  const record = store.script('weatherSessionRecord', RECORD);
  const groupOf = ({ key }: Recording) => store.topology.groupOf(key);
  const recordings = createRecordings<Recording>({
    keyOf: ({ key }) => key,
    groupOf,
    // A Redis that is only late has them before it says so.
    isWritable: (key) => store.isWritable(key, KEPT_MS),
    async send(batch, time) {
      const keys = batch.map(({ key }) => key);
      const args = batch.flatMap(({ args }) => args);
      await record(keys, [ttlSeconds, shortLife, MAX_RECENT_SEARCHES, ...args], time);
    },
  });
  const send = createBatcher<Recording>({
    send: (batch) => void recordings.add(batch),
    groupOf,
    atEndOfTurn: store.atEndOfTurn,
  });
  /** Resolves when all that was recorded in this turn is on its way. */
  const sent = () => new Promise<void>(store.atEndOfTurn);
  async function settled(key?: string, time?: StoreTime): Promise<void> {
    await sent();
    await recordings.settled(key, time);
  }

  return {
    canRecord: (id) => store.isWritable(names.session(id), KEPT_MS),
    async record({ id, issuedAt, confirmed }, search) {
      const key = names.session(id);
      const [place, line] = search ? linesOf(search) : ['', ''];
      const mark = confirmed ? '' : UNCONFIRMED;
      const issued = Math.round(issuedAt).toString(36);
      const bytes = Buffer.byteLength(`${key}${issued}${mark}\n${line}`);
      if (!confirmed && bytes > MAX_UNCONFIRMED_BYTES) return;
      const args: Recording['args'] = [issued, mark, place, line];
      send({ key, args });
      await sent();
    },
    async searches(id, scope) {
      const key = names.session(id);
      // Redis that takes no writes is read all the same: what waits for it is not in the list.
      if (store.isWritable(key)) await settled(key, scope);
      // Redis reads its connections in any order: what another process sent before is there after one trip to the
      // same node. The limits make one, unless they are off or lie on another node.
      const text = await list([key], [ttlSeconds], scope);
      return typeof text === 'string' ? searchesOf(text) : [];
    },
    async clearSearches(id, scope) {
      const key = names.session(id);
      await settled(key, scope);
      await store.run(key, (redis) => redis.del(key), scope);
    },
    settled,
  };
}

/** The place's key as a search begins with it, and the whole search. */
function linesOf({ placeKey, city, country }: Search): [place: string, line: string] {
  const place = `${placeKey}\t`;
  return [place, `${place}${JSON.stringify([city, country])}\n`];
}

/** The searches of a session's value; of one that is damaged, what can be read. */
function searchesOf(text: string): RecentSearch[] {
  if (!HEAD.test(text)) return [];
  return text.split('\n').slice(1, -1).flatMap(searchOf);
}

function searchOf(line: string): RecentSearch[] {
  try {
    const [city, country] = JSON.parse(line.slice(line.indexOf('\t') + 1)) as unknown[];
    return typeof city === 'string' && typeof country === 'string' ? [{ city, country }] : [];
  } catch {
    return [];
  }
}
