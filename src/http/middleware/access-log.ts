import type { IncomingMessage } from 'node:http';
import { printable } from '../../text/printable.js';
import type { Instruments } from '../../base/instruments.js';
import type { Logger } from '../../process/log.js';
import type { Clock } from '../../weather/types.js';
import type { AppMiddleware, RequestState } from '../context.js';

const MAX_LOGGED_LENGTH = 120;
/**
 * Status codes that are logged as warnings: invalid input and rate limits. A wrong path or method is not a warning,
 * because every public address receives such requests.
 */
const WARNED = new Set([400, 408, 413, 429]);

/** Returns client input for the log, printable and with bounded length. */
export function loggable(value: unknown): string | null {
  return typeof value === 'string' ? printable(value, MAX_LOGGED_LENGTH) : null;
}

/**
 * Writes one record per request: `weather_request` for a request about a location, `request` for
 * any other. The level depends on the status: ERROR for 5xx, WARNING for invalid input and rate
 * limits, DEBUG for health checks, else INFO. If the client disconnected or a shutdown cut the
 * request, the level is INFO.
 */
export function accessLog(options: {
  log: Logger;
  clock: Clock;
  instruments: Instruments;
}): AppMiddleware {
  const { log, clock, instruments } = options;
  return async (ctx, next) => {
    const started = clock.monotonic();
    await next();
    const { state } = ctx;
    const status = state.outcome ?? ctx.status;
    const { key, fetchId, traceId } = state.scope.trace;
    const aborted = isDisconnected(ctx.req) || state.scope.signal.aborted;
    const durationMs = clock.monotonic() - started;
    instruments.requestServed({
      route: String(ctx['_matchedRoute'] ?? 'none'),
      method: ctx.method,
      status,
      seconds: durationMs / 1000,
      cache: state.location?.cache,
      rejectedBy: state.rejectedBy,
      wouldReject: state.wouldReject,
    });
    log[levelOf(state, status, aborted)]({
      event: state.location ? 'weather_request' : 'request',
      request_id: state.requestId,
      ip: state.ip,
      kind: state.kind,
      ...state.location,
      via: state.via,
      key,
      fetch_id: fetchId,
      trace_id: traceId,
      duration_ms: Math.round(durationMs),
      method: ctx.method,
      path: loggable(state.target.path),
      status,
      ...(state.rejectedBy ? { refused_by: state.rejectedBy } : {}),
      ...(state.wouldReject ? { would_refuse: state.wouldReject } : {}),
      ...(aborted ? { aborted } : {}),
      ...(status >= 500 && state.error !== undefined ? { err: state.error } : {}),
    });
  };
}

/** Returns whether the client closed or reset its connection, or ended it within its body. */
function isDisconnected({ socket, complete }: IncomingMessage): boolean {
  return !socket.writable || (socket.readableEnded && !complete);
}

function levelOf(
  state: RequestState,
  status: number,
  aborted: boolean,
): 'debug' | 'info' | 'warn' | 'error' {
  if (status >= 500 && state.error !== undefined && !aborted) return 'error';
  if (state.probe) return 'debug';
  return WARNED.has(status) && !aborted ? 'warn' : 'info';
}
