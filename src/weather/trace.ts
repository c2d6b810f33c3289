/**
 * A place in a trace: two headers of the W3C's Trace Context (https://www.w3.org/TR/trace-context/), as a client, a job
 * or the active span of OpenTelemetry says it.
 */
export interface TraceParent {
  /** Version, trace, span, flags. */
  readonly traceparent: string;
  /** What the parts of a tracing system tell each other. */
  readonly tracestate?: string;
}

/** Later versions may append more. */
const TRACEPARENT =
  /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$/;
/** The longest that must be passed on is 512 characters. */
const TRACESTATE = /^[\x20-\x7e]{1,512}$/;

/** Reads what a stranger, or Redis, gave as the two headers. Undefined without a well-formed `traceparent`. */
export function readTraceParent(given: Readonly<Record<string, unknown>>): TraceParent | undefined {
  const { traceparent, tracestate } = given;
  if (typeof traceparent !== 'string') return undefined;
  const [, version, traceId, more] = TRACEPARENT.exec(traceparent) ?? [];
  if (traceId === undefined || (version === '00' && more !== undefined)) return undefined;
  const isState = typeof tracestate === 'string' && TRACESTATE.test(tracestate);
  // In the form of version 00, which every reader knows.
  return {
    traceparent: `00${traceparent.slice(2, 55)}`,
    ...(isState ? { tracestate } : {}),
  };
}

/** The id of the trace: 32 hexadecimal digits. */
export function traceIdOf(parent: TraceParent | undefined): string | undefined {
  return parent?.traceparent.slice(3, 35);
}
