import { ifUnavailable } from '../errors.js';
import type {
  AnswerStore,
  ForecastEntry,
  FoundAnswer,
  StoredAnswer,
} from '../providers/answers.js';
import type { RedisStore } from './client/store.js';
import { isWeather, parseObject } from './fetching/entry.js';

/** Value and remaining life in one step, so that they belong together. */
const READ = `return {redis.call('GET', KEYS[1]), redis.call('PTTL', KEYS[1])}`;

const NOTHING: [string | null, number] = [null, 0];

interface Kept extends Omit<StoredAnswer, 'lastModified'> {
  lastModified: string | null;
  ttlMs: number;
}

/**
 * Providers' answers, shared by all processes. Their ages are by Redis's clock. Each process also
 * keeps those that it got itself: a provider that must not be asked again must not be asked either
 * when Redis is unavailable, or has lost the answer.
 */
export function createRedisAnswers(store: RedisStore, own: AnswerStore): AnswerStore {
  const read = store.script('weatherAnswerRead', READ);
  const keyOf = (key: string) => `weather:answer:${key}`;
  return {
    async get(key) {
      const reply = read([keyOf(key)], []) as Promise<[string | null, number]>;
      const [text, remainingMs] = await ifUnavailable(reply, NOTHING);
      const shared = text === null ? undefined : readAnswer(text, remainingMs);
      const local = await own.get(key);
      if (!shared || !local) return shared ?? local;
      return shared.ageMs <= local.ageMs ? shared : local;
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

/** What Redis says is input: a text that is no answer is none. */
function readAnswer(text: string, remainingMs: number): FoundAnswer | undefined {
  const { entries, lastModified, freshMs, ttlMs } = (parseObject(text) ?? {}) as Partial<Kept>;
  if (typeof freshMs !== 'number' || typeof ttlMs !== 'number' || remainingMs < 0) return undefined;
  if (!Array.isArray(entries) || !entries.every(isEntry)) return undefined;
  const ageMs = Math.max(0, ttlMs - remainingMs);
  return { entries, lastModified: lastModified ?? undefined, freshMs: freshMs - ageMs, ageMs };
}

function isEntry(entry: Partial<ForecastEntry> | null): boolean {
  return Number.isFinite(entry?.from) && isWeather(entry?.weather);
}
