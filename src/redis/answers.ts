import { ifUnavailable } from '../errors.js';
import type { AnswerStore, StoredAnswer } from '../providers/answers.js';
import type { RedisStore } from './client/store.js';

/** Value and remaining life in one step, so that they belong together. */
const READ = `return {redis.call('GET', KEYS[1]), redis.call('PTTL', KEYS[1])}`;

const NOTHING: [string | null, number] = [null, 0];

interface Kept extends Omit<StoredAnswer, 'lastModified'> {
  lastModified: string | null;
  ttlMs: number;
}

/**
 * Providers' answers, shared by all processes. Their ages are by Redis's clock. While Redis is
 * unavailable there are none, and the provider is asked instead.
 */
export function createRedisAnswers(store: RedisStore): AnswerStore {
  const read = store.script('weatherAnswerRead', READ);
  const keyOf = (key: string) => `weather:answer:${key}`;
  return {
    async get(key) {
      const reply = read([keyOf(key)], []) as Promise<[string | null, number]>;
      const [text, remainingMs] = await ifUnavailable(reply, NOTHING);
      if (text === null) return undefined;
      const { entries, lastModified, freshMs, ttlMs } = JSON.parse(text) as Kept;
      return {
        entries,
        lastModified: lastModified ?? undefined,
        freshMs: freshMs - (ttlMs - remainingMs),
      };
    },
    async set(key, answer, ttlMs) {
      const lifeMs = Math.floor(ttlMs);
      if (lifeMs < 1) return;
      const kept: Kept = { ...answer, lastModified: answer.lastModified ?? null, ttlMs: lifeMs };
      const redisKey = keyOf(key);
      const text = JSON.stringify(kept);
      await ifUnavailable(
        store.run(redisKey, (client) => client.set(redisKey, text, 'PX', lifeMs)),
        undefined,
      );
    },
  };
}
