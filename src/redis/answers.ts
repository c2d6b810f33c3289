import { StoreUnavailableError } from '../errors.js';
import type { AnswerStore, StoredAnswer } from '../providers/answers.js';
import type { RedisStore } from './client/store.js';

/** Value and remaining life in one step, so that they belong together. */
const READ = `return {redis.call('GET', KEYS[1]), redis.call('PTTL', KEYS[1])}`;

interface Kept extends Omit<StoredAnswer, 'lastModified'> {
  lastModified: string | null;
  ttlMs: number;
}

/** Providers' answers shared by all processes; ages are by Redis's clock. */
export function createRedisAnswers(store: RedisStore): AnswerStore {
  const read = store.script('weatherAnswerRead', READ);
  const keyOf = (key: string) => `weather:answer:${key}`;
  return {
    async get(key) {
      const [text, remainingMs] = (await orMiss(read([keyOf(key)], []))) as [string | null, number];
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
      await orMiss(
        store.run(redisKey, (client) => client.set(redisKey, JSON.stringify(kept), 'PX', lifeMs)),
      );
    },
  };
}

/** A store that is away has nothing and keeps nothing: the provider is asked instead. */
async function orMiss(work: Promise<unknown>): Promise<unknown> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof StoreUnavailableError) return [null, 0];
    throw error;
  }
}
