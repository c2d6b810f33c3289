import { isTraceId } from '../weather/scope.js';

/** Version, trace, parent, flags; later versions may append more (https://www.w3.org/TR/trace-context/). */
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$/;

/** The trace of a well-formed `traceparent` header; undefined for any other text. */
export function traceIdOf(given: string | string[] | undefined): string | undefined {
  if (typeof given !== 'string') return undefined;
  const [, version, traceId, more] = TRACEPARENT.exec(given) ?? [];
  if (version === '00' && more !== undefined) return undefined;
  return isTraceId(traceId) ? traceId : undefined;
}
