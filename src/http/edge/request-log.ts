import type { IncomingMessage } from 'node:http';
import type { Instruments } from '../../base/instruments.js';
import type { Logger } from '../../process/log.js';
import { NotOfferedError } from '../../weather/errors.js';
import type { Clock } from '../../weather/types.js';
import { printable } from '../../text/printable.js';
import type { Answer } from '../answer.js';
import { loggable } from '../request-log-fields.js';
import type { AppContext, Route } from '../context.js';

/** Logged as warnings. Not 404 and 405: every public address receives wrong paths and methods. */
const WARNED = new Set([400, 401, 408, 413, 429]);
const MAX_AGENT_LENGTH = 100;
const COUNTED_METHODS = new Set(['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS']);

/** Creates the function that counts a request in the metrics, and writes its record. */
export function createRequestLog(options: { log: Logger; clock: Clock; instruments: Instruments }) {
  const { log, clock, instruments } = options;
  return (ctx: AppContext, answer: Answer, sentStatus: number, began: number): void => {
    const { state, method } = ctx;
    const { rejectedBy, wouldReject, target, scope, route } = state;
    const { logFields, toolStatus: status = sentStatus } = answer;
    // That no configured provider has the data is no failure.
    const isOffered = !(answer.error instanceof NotOfferedError);
    const error = isOffered ? answer.error : undefined;
    const client = typeof state.client === 'object' ? state.client.name : undefined;
    const { key, fetchId, traceId, startsFetch } = scope.trace;
    const isAborted = isDisconnected(ctx.req) || scope.signal.aborted;
    const durationMs = clock.monotonic() - began;
    instruments.requestServed({
      route: route && isOffered ? labelOf(route, target.path) : 'none',
      method: COUNTED_METHODS.has(method) ? method : 'other',
      status,
      client,
      seconds: durationMs / 1000,
      cache: logFields?.cache,
      rejectedBy,
      wouldReject,
    });
    log[levelOf(error, status, isAborted, route?.isProbe)]({
      event: logFields?.city === undefined ? 'request' : 'weather_request',
      request_id: state.requestId,
      ip: state.ip,
      client,
      key,
      fetch_id: fetchId,
      trace_id: traceId,
      duration_ms: Math.round(durationMs),
      method,
      path: loggable(target.path),
      status,
      user_agent: startsFetch ? userAgentOf(ctx) : undefined,
      refused_by: rejectedBy,
      would_refuse: wouldReject,
      aborted: isAborted || undefined,
      err: status >= 500 ? error : undefined,
      // V8 defines each property after a spread by a slow call.
      ...logFields,
    });
  };
}

/** Returns the label of a route for metrics: one of its own paths, never a text of a client. */
function labelOf({ paths, isUncounted }: Route, path: string): string {
  if (isUncounted) return 'none';
  return paths.find((each) => each === path) ?? paths[0] ?? 'none';
}

/** Returns what the client calls itself. Crawlers are found by the requests that start fetches. */
function userAgentOf(ctx: AppContext): string | undefined {
  return printable(ctx.get('User-Agent'), MAX_AGENT_LENGTH - '…'.length) || undefined;
}

/** Returns whether the client closed its connection, or ended it within its body. */
function isDisconnected({ socket, complete }: IncomingMessage): boolean {
  return !socket.writable || (socket.readableEnded && !complete);
}

function levelOf(
  error: unknown,
  status: number,
  isAborted: boolean,
  isProbe: boolean | undefined,
): 'debug' | 'info' | 'warn' | 'error' {
  if (status >= 500 && error !== undefined && !isAborted) return 'error';
  if (isProbe) return 'debug';
  return WARNED.has(status) && !isAborted ? 'warn' : 'info';
}

/** Logs why a response could not be sent. If the client is gone, that is no error. */
export function responseFailures(log: Logger): (error: unknown, ctx: AppContext) => void {
  return (error, ctx) => {
    const { requestId } = ctx.state;
    if (!ctx.req.socket.destroyed)
      log.error({ event: 'response_failed', request_id: requestId, err: error });
    else if (ctx.headerSent) {
      const { code: reason } = error as NodeJS.ErrnoException;
      log.info({ event: 'response_aborted', request_id: requestId, reason });
    }
  };
}
