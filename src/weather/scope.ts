/** The longest that one request may wait for the shared store in all, in milliseconds. */
export const STORE_TIME_MS = 250;
/**
 * The lookup's part of it, in milliseconds, which several requests can share. The rest is for what
 * they ask outside of it: with less, limits would not be exact on a Redis that answers within 100 ms
 * give or take a half.
 */
export const LOOKUP_STORE_TIME_MS = 95;

/**
 * The time that one request may wait for the shared store, in all. Waits that overlap count once.
 * Instants are milliseconds of the monotonic clock.
 */
export class StoreTime {
  #spentMs = 0;
  #waits = 0;
  #waitingSince = 0;

  /** @param limitMs the longest that the request may wait, in milliseconds */
  constructor(readonly limitMs: number) {}

  /** Milliseconds that are left; 0 or less: the store is not asked any more. */
  leftAt(now: number): number {
    const waiting = this.#waits > 0 ? now - this.#waitingSince : 0;
    return this.limitMs - this.#spentMs - waiting;
  }

  /** A wait for the store begins. Each `begin` is followed by one `end`. */
  begin(now: number): void {
    if (this.#waits === 0) this.#waitingSince = now;
    this.#waits += 1;
  }

  end(now: number): void {
    this.#waits -= 1;
    if (this.#waits === 0) this.#spentMs += now - this.#waitingSince;
  }
}

/** By what the records about one request are found. */
export interface Trace {
  /** The trace that the client's request is part of: 32 hexadecimal digits. */
  readonly traceId: string | undefined;
  /** The key of what was looked up last. */
  key?: string;
  /** The fetch that brought it, or that failed. */
  fetchId?: string | undefined;
}

const TRACE_ID = /^(?!0+$)[0-9a-f]{32}$/;

/** Whether a value is a trace's id, by the W3C's Trace Context. */
export function isTraceId(value: unknown): value is string {
  return typeof value === 'string' && TRACE_ID.test(value);
}

/** What bounds the work for one request, and names it. */
export interface Scope {
  /** Aborts when the process ends: what runs for the request is given up. */
  readonly signal: AbortSignal;
  /** When the caller gives up, in milliseconds of the monotonic clock. */
  readonly deadline: number;
  readonly storeTime: StoreTime;
  readonly trace: Trace;
}
