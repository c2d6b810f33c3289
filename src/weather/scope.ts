import type { TraceParent } from './trace.js';

/**
 * The longest that one request may wait for the shared store in all, in milliseconds. Doubled: around
 * a fault of Redis a request may be half a second late instead of a quarter.
 */
export const STORE_TIME_MS = 250;

/** What waits for the shared store take their time from. */
export interface StoreTime {
  /** How long it may still be waited for the shared store, in milliseconds. Every wait takes from it. */
  storeMs: number;
  /** Asked whatever is known of the store: nobody waits for it, and what is lost would be missed. */
  readonly insists?: true;
}

/** By what the records about one request are found. */
export interface Trace {
  /** Where the request stands in a trace: its own span, or what its client sent. */
  readonly parent: TraceParent | undefined;
  /** The key of what was looked up last. */
  key?: string;
  /** The fetch that brought it, or that failed. */
  fetchId?: string | undefined;
}

/** What bounds the work for one request, and names it. */
export interface Scope extends StoreTime {
  /** Aborts when the process ends: what runs for the request is given up. */
  readonly signal: AbortSignal;
  /** When the caller gives up, in milliseconds of the monotonic clock. */
  readonly deadline: number;
  readonly trace: Trace;
}
