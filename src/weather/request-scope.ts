/** The fields by which the log records about one request are found. */
export interface Trace {
  /** The trace ID that the client sent: 32 hexadecimal digits. */
  readonly traceId: string | undefined;
  /** The key of the last lookup. */
  key?: string;
  /** The fetch that supplied the value, or that failed. */
  fetchId?: string | undefined;
  /** Whether the request started a fetch, or was about to. */
  startsFetch?: boolean | undefined;
}

/** The limits and the log fields of the work for one request. */
export interface Scope {
  /** Aborts when the process ends: the work for the request stops. */
  readonly signal: AbortSignal;
  /** When the request must have its response, in milliseconds of the monotonic clock. */
  readonly deadline: number;
  readonly trace: Trace;
  /** Counts a fetch before this request starts it. Absent: no limit. @throws FetchLimitError */
  countFetch?: () => void | Promise<void>;
  /** See `UpstreamCall`. */
  readonly isRefresh?: boolean;
}

/** W3C Trace Context (https://www.w3.org/TR/trace-context/). Later versions may append more. */
const TRACEPARENT =
  /^(?!ff)([0-9a-f]{2})-((?!0{32})[0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$/;
const TRACE_ID = /^[0-9a-f]{32}$/;

/** The trace ID in a `traceparent` header: 32 hex digits; undefined if missing or malformed. */
export function readTraceId(traceparent: unknown): string | undefined {
  if (typeof traceparent !== 'string') return undefined;
  const [, version, traceId, appended] = TRACEPARENT.exec(traceparent) ?? [];
  return version === '00' && appended !== undefined ? undefined : traceId;
}

export function isTraceId(input: unknown): input is string {
  return typeof input === 'string' && TRACE_ID.test(input);
}
