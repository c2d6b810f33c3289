import { ifUnavailable } from '../errors.js';
import type {
  AnswerStore,
  ForecastEntry,
  FoundAnswer,
  StoredAnswer,
} from '../providers/answers.js';
import type { RedisStore } from './client/store.js';
import { isObject, isWeather, parseObject } from './fetching/entry.js';

/** Value and remaining life in one step, so that they belong together. */
const READ = `
local text = redis.pcall('GET', KEYS[1])
return {type(text) == 'string' and text, redis.call('PTTL', KEYS[1])}`;

const NOTHING: [string | null, number] = [null, 0];

interface Kept extends Omit<StoredAnswer, 'lastModified'> {
  lastModified: string | null;
  ttlMs: number;
}

/**
 * Providers' answers, shared by all processes. Their ages are by Redis's clock. A provider must not
 * be asked again too early, whether Redis is there or not: each process also keeps its own answers.
 * @param own this process's own
 */
export function createRedisAnswers(store: RedisStore, own: AnswerStore): AnswerStore {
  const read = store.script('weatherAnswerRead', READ);
  const keyOf = (key: string) => `weather:answer:${key}`;
  return {
    async get(key) {
      const reply = read([keyOf(key)], []) as Promise<[string | null, number]>;
      const [text, remainingMs] = await ifUnavailable(reply, NOTHING);
      const shared = text === null ? undefined : readAnswer(text, remainingMs);
      const mine = await own.get(key);
      // What Redis has can be older than what this process learnt without it.
      return mine && (!shared || shared.freshMs < mine.freshMs) ? mine : shared;
    },
    async set(key, answer, ttlMs) {
      const lifeMs = Math.floor(ttlMs);
      if (lifeMs < 1) return;
      await own.set(key, answer, lifeMs);
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

/** What Redis says is input: undefined when a text is no answer. */
function readAnswer(text: string, remainingMs: number): FoundAnswer | undefined {
  const { entries, lastModified, freshMs, ttlMs } = (parseObject(text) ?? {}) as Partial<Kept>;
  if (!Array.isArray(entries) || !entries.every(isForecastEntry)) return undefined;
  if (typeof freshMs !== 'number' || typeof ttlMs !== 'number') return undefined;
  const ageMs = Math.max(0, ttlMs - remainingMs);
  return {
    entries,
    lastModified: typeof lastModified === 'string' ? lastModified : undefined,
    freshMs: freshMs - ageMs,
    ageMs,
  };
}

function isForecastEntry(entry: unknown): entry is ForecastEntry {
  return isObject(entry) && Number.isFinite(entry['from']) && isWeather(entry['weather']);
}
