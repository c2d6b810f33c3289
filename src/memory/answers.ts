import { createLru } from '../lru.js';
import type { AnswerStore, StoredAnswer } from '../providers/answers.js';
import type { Clock } from '../weather/types.js';

interface Entry {
  answer: StoredAnswer;
  storedAt: number;
  until: number;
}

/** Providers' answers in this process; the least recently used makes room. */
export function createMemoryAnswers(options: { clock: Clock; maxEntries: number }): AnswerStore {
  const { clock, maxEntries } = options;
  const entries = createLru<string, Entry>(maxEntries);
  return {
    get(key) {
      const entry = entries.get(key);
      const now = clock.monotonic();
      if (!entry || now >= entry.until) return Promise.resolve(undefined);
      const { answer, storedAt } = entry;
      const ageMs = now - storedAt;
      return Promise.resolve({ ...answer, freshMs: answer.freshMs - ageMs, ageMs });
    },
    set(key, answer, ttlMs) {
      const storedAt = clock.monotonic();
      entries.set(key, { answer, storedAt, until: storedAt + ttlMs });
      return Promise.resolve();
    },
  };
}
