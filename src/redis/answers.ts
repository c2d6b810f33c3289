import { ifUnavailable } from '../errors.js';
import type {
  AnswerStore,
  ForecastEntry,
  FoundAnswer,
  StoredAnswer,
} from '../providers/answers.js';
import type { RedisStore } from './client/store.js';
import type { Names } from './names.js';
import { isDuration, isObject, isWeather, parseObject } from './values.js';

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
export function createRedisAnswers(store: RedisStore, names: Names, own: AnswerStore): AnswerStore {
  const read = store.script('weatherAnswerRead', READ);
  return {
    async get(key, time) {
      const reply = read([names.kept(key)], [], time) as Promise<[string | null, number]>;
      const [text, remainingMs] = await ifUnavailable(reply, NOTHING);
      const shared = text === null ? undefined : readAnswer(text, remainingMs);
      const mine = await own.get(key);
      // What Redis has can be older than what this process learnt without it.
      return mine && (!shared || shared.freshMs < mine.freshMs) ? mine : shared;
    },
    async set(key, answer, ttlMs, time) {
      const lifeMs = Math.floor(ttlMs);
      if (lifeMs < 1) return;
      await own.set(key, answer, lifeMs);
      const kept: Kept = { ...answer, lastModified: answer.lastModified ?? null, ttlMs: lifeMs };
      const redisKey = names.kept(key);
      const text = JSON.stringify(kept);
      await ifUnavailable(
        store.run(redisKey, (client) => client.set(redisKey, text, 'PX', lifeMs), time),
        undefined,
      );
    },
  };
}

/** What can stand in a header of a request. */
const HEADER_TEXT = /^[\x20-\x7e]{1,64}$/;

/** A date that goes back to the provider in a header; null: it gave none. */
function isDate(value: unknown): value is string | null {
  if (value === null) return true;
  return typeof value === 'string' && HEADER_TEXT.test(value) && !Number.isNaN(Date.parse(value));
}

/** What Redis says is input: undefined when a text is no answer, or any part of it is damaged. */
function readAnswer(text: string, remainingMs: number): FoundAnswer | undefined {
  const { entries, lastModified, freshMs, ttlMs } = (parseObject(text) ?? {}) as Partial<Kept>;
  if (!Array.isArray(entries) || !entries.every(isForecastEntry)) return undefined;
  if (!isDuration(freshMs) || !isDuration(ttlMs) || !isDate(lastModified)) return undefined;
  // An answer that never ends has no age, nor has one that is kept for longer than it was written for:
  // the clock of Redis went back.
  if (remainingMs <= 0 || remainingMs > ttlMs) return undefined;
  const ageMs = Math.max(0, ttlMs - remainingMs);
  return {
    entries,
    lastModified: lastModified ?? undefined,
    freshMs: freshMs - ageMs,
    ageMs,
  };
}

function isForecastEntry(entry: unknown): entry is ForecastEntry {
  return isObject(entry) && Number.isFinite(entry['from']) && isWeather(entry['weather']);
}
