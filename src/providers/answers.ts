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
  /** For how long from now on the provider wants not to be asked again; at most 0: it may be asked. */
  freshMs: number;
}

/** Keeps answers; a store that is away has none and takes none, and says so to nobody. */
export interface AnswerStore {
  get(key: string): Promise<StoredAnswer | undefined>;
  set(key: string, answer: StoredAnswer, ttlMs: number): Promise<void>;
}
