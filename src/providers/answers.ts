import type { StoreTime } from '../weather/scope.js';
import type { Weather } from '../weather/types.js';

/** The weather that a forecast gives from a moment on. */
export interface ForecastEntry {
  /** Milliseconds since the epoch. */
  from: number;
  weather: Weather;
}

/** A provider's last answer for a point, kept for a conditional request later. */
export interface StoredAnswer {
  /** Ascending by time. */
  entries: ForecastEntry[];
  /** As the provider wrote it; undefined when it gave none. */
  lastModified: string | undefined;
  /** Milliseconds until the provider may be asked again; 0 or less: now. */
  freshMs: number;
}

/** The same as it is found again. */
export interface FoundAnswer extends StoredAnswer {
  /** Milliseconds since it was kept: since the provider gave or confirmed it. */
  ageMs: number;
}

/**
 * Keeps answers. While a shared store is unavailable each process has those that it kept itself: no
 * call throws for that. Waits for the shared store take from `time`.
 */
export interface AnswerStore {
  get(key: string, time?: StoreTime): Promise<FoundAnswer | undefined>;
  set(key: string, answer: StoredAnswer, ttlMs: number, time?: StoreTime): Promise<void>;
}
