/** The fields by which the log records about one request are found. */
export interface Trace {
  /** The trace ID that the client sent: 32 hexadecimal digits. */
  readonly traceId: string | undefined;
  /** The key of the last lookup. */
  key?: string;
  /** The fetch that supplied the value, or that failed. */
  fetchId?: string | undefined;
}

/** The limits and the log fields of the work for one request. */
export interface Scope {
  /** Aborts when the process ends: the work for the request stops. */
  readonly signal: AbortSignal;
  /** The time at which the request must have its response, in milliseconds of the monotonic clock. */
  readonly deadline: number;
  readonly trace: Trace;
}
