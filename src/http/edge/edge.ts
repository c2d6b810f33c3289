import type { Instruments } from '../../base/instruments.js';
import type { Logger } from '../../process/log.js';
import type { Clock } from '../../weather/types.js';
import { emptyAnswer, flatten, type Answer } from '../answer.js';
import type { AppContext, AppMiddleware } from '../context.js';
import { errorAnswer, HttpError } from '../error-answers.js';
import { ignoredHeader } from '../input/parameters.js';
import { fetchedAtHeader } from '../public-headers.js';
import { checkQuery, parametersOf, type Target } from '../input/request-target.js';
import type { Route } from '../route.js';
import { createCors } from './cors.js';
import type { CountRequest } from './limits.js';
import { createRequestLog } from './request-log.js';
import { createKnownTargets } from './known-targets.js';
import { createReadState } from './request-state.js';
import { createRouting } from './routing.js';
import type { RequestSessions } from './session-cookie.js';

export interface EdgeOptions {
  routes: readonly Route[];
  trustedProxies: number;
  corsOrigins: string[] | '*';
  countRequest: CountRequest;
  sessions: RequestSessions;
  log: Logger;
  clock: Clock;
  instruments: Instruments;
  timeoutMs: number;
  /** Aborts when the process begins to close its connections. */
  closing: AbortSignal;
  /** Aborts when the process ends. */
  ending: AbortSignal;
}

/** The response to a preflight of an allowed origin. */
const PREFLIGHT: Answer = { ...emptyAnswer(204), headers: ['Vary', 'Origin'] };

/** The answer to a request that is shed, because it waited too long before it began. */
const OVERLOADED = errorAnswer(
  new HttpError(503, 'Service unavailable', 'The service is overloaded. Please try again later.', {
    'Retry-After': '5',
  }),
);

/** Browsers then use only TLS for a year. They ignore the header over plain HTTP. */
const TLS_HEADERS = flatten({ 'Strict-Transport-Security': 'max-age=31536000' });

/** Creates the middleware that serves every request, up to its log record. No other code writes a response. */
export function createEdge(options: EdgeOptions): AppMiddleware {
  const { countRequest, sessions, clock, closing, instruments } = options;
  const targets = createKnownTargets();
  const readState = createReadState({ ...options, targetOf: targets.findOrParse });
  const corsHeadersOf = createCors(options.corsOrigins);
  const findRoute = createRouting(options.routes);
  const logRequest = createRequestLog(options);

  /** Returns the answer to a request that is rejected before its route answers: by overload, or by a limit. */
  function rejectionOf(ctx: AppContext, { group, isShed = group !== undefined, isPublic }: Route) {
    if (isShed && ctx.req.isLate) {
      instruments.overloadShed();
      return OVERLOADED;
    }
    return group && countRequest(ctx.state, group, isPublic === true);
  }

  async function answerTo(ctx: AppContext): Promise<Answer> {
    const { state } = ctx;
    const { target } = state;
    try {
      state.corsHeaders = corsHeadersOf(ctx);
      if (isPreflight(ctx)) return PREFLIGHT;
      const route = await findRoute(ctx);
      if ('status' in route) return route;
      const pending = rejectionOf(ctx, route);
      const rejection = pending instanceof Promise ? await pending : pending;
      if (rejection) return { ...rejection, logFields: route.logFieldsOf?.(target) };
      const { session } = route;
      const mustConfirm = session !== undefined && (await sessions.open(ctx, session));
      if (!target.isKnown) readQuery(target, route);
      const answer = await route.answer(ctx);
      if (session) await sessions.close(ctx, mustConfirm, answer.search);
      return answer;
    } catch (error) {
      return { ...errorAnswer(error, target), logFields: target.route?.logFieldsOf?.(target) };
    }
  }

  return async (ctx) => {
    ctx.respond = false;
    ctx.state = readState(ctx.req);
    const began = clock.monotonic();
    const answer = await answerTo(ctx);
    const { publicAgeSeconds } = answer;
    const sinceRequestMs = clock.monotonic() - began;
    const forNginx =
      publicAgeSeconds === undefined
        ? []
        : fetchedAtHeader(ctx.req.headers, publicAgeSeconds, sinceRequestMs, clock.now());
    const status = write(ctx, answer, forNginx, closing.aborted);
    logRequest(ctx, answer, status, began);
    targets.remember(ctx.req, ctx.state.target);
  };
}

/** Notes which parameters are ignored. @throws InvalidInputError if the query is too long */
function readQuery(target: Target, { parameters }: Route): void {
  checkQuery(target);
  if (parameters) target.ignored = ignoredHeader(Object.keys(parametersOf(target)), parameters);
}

function isPreflight({ method, state, req }: AppContext): boolean {
  if (method !== 'OPTIONS' || state.corsHeaders.length === 0) return false;
  return req.headers['access-control-request-method'] !== undefined;
}

/** Writes the response: the answer with the headers of the client. Returns its status. */
function write(ctx: AppContext, answer: Answer, forNginx: string[], isClosing: boolean): number {
  const { req, res, state } = ctx;
  const isUnchanged = isNotModified(ctx, answer);
  const status = isUnchanged ? 304 : answer.status;
  const headers = ['X-Request-ID', state.requestId, ...state.corsHeaders, ...answer.headers];
  headers.push(...state.limitHeaders, ...forNginx);
  if (status < 400 && state.target.ignored) headers.push(...state.target.ignored);
  if (state.secure && answer !== PREFLIGHT) headers.push(...TLS_HEADERS);
  if (!isUnchanged) headers.push(...answer.content);
  const connection = connectionOf(ctx, answer, isClosing);
  if (connection !== undefined) headers.push('Connection', connection);
  res.writeHead(status, headers);
  if (isUnchanged || req.method === 'HEAD') res.end();
  else res.end(answer.body);
  return status;
}

/**
 * Returns whether the client already has this representation, by `If-None-Match` (RFC 9110, 13.1.2). Koa's `fresh` would
 * never return true for `fetch`, which sends `Cache-Control: no-cache` with each `If-None-Match`.
 */
function isNotModified({ method, req }: AppContext, { status, tag }: Answer): boolean {
  const condition = req.headers['if-none-match'];
  if (condition === undefined || tag === undefined || status !== 200) return false;
  if (method !== 'GET' && method !== 'HEAD') return false;
  // The tags of this service contain no quotes inside, so a tag with its quotes matches only as a whole.
  return condition.trim() === '*' || condition.includes(tag.replace('W/', ''));
}

/**
 * Returns the `Connection` header if the default of Node.js would lose a request or a response. While the process closes, a client could
 * send its next request over a connection that is about to be closed. After a 408, the rest of the body may still arrive.
 *
 * If the client still sends the body, closing the connection would lose the response, so `bounded-server.ts` does that later.
 */
function connectionOf({ req, res }: AppContext, { status }: Answer, isClosing: boolean) {
  if (isClosing || status === 408) return 'close';
  return req.complete || res.hasHeader('Connection') ? undefined : 'keep-alive';
}
