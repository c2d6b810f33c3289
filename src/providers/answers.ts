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

/** Keeps answers. While the store is unavailable it has none and takes none: no call throws. */
export interface AnswerStore {
  get(key: string): Promise<StoredAnswer | undefined>;
  set(key: string, answer: StoredAnswer, ttlMs: number): Promise<void>;
}
