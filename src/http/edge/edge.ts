import type { Next } from 'koa';
import type { Instruments } from '../../base/instruments.js';
import { emptyAnswer, flatten, type Answer } from '../answer.js';
import type { AppContext, AppMiddleware } from '../context.js';
import { errorAnswer, HttpError } from '../error-answers.js';
import { fetchedAtHeader } from '../public-headers.js';
import { createCors } from './cors.js';
import { createRequestLog } from './request-log.js';
import { createReadState, type StateOptions } from './request-state.js';
import { answerWithoutRoute } from './routing.js';

export interface EdgeOptions extends StateOptions {
  corsOrigins: string[] | '*';
  instruments: Instruments;
  /** Aborts when the process begins to close its connections. */
  closing: AbortSignal;
}

const PREFLIGHT: Answer = { ...emptyAnswer(204), headers: ['Vary', 'Origin'] };

/** Browsers then use only TLS for a year. They ignore the header over plain HTTP. */
const TLS_HEADERS = flatten({ 'Strict-Transport-Security': 'max-age=31536000' });

const IGNORED = 'X-Weather-Ignored-Parameters';

/** Creates the first middleware, which sets the state of a request. Only it writes responses. */
export function createEdge(options: EdgeOptions): AppMiddleware {
  const { clock, closing } = options;
  const readState = createReadState(options);
  const corsHeadersOf = createCors(options.corsOrigins);
  const logRequest = createRequestLog(options);

  async function answerTo(ctx: AppContext, next: Next): Promise<Answer> {
    const { state } = ctx;
    const { target } = state;
    try {
      state.corsHeaders = corsHeadersOf(ctx);
      if (isPreflight(ctx)) return PREFLIGHT;
      if (!target.isValid) {
        throw new HttpError(400, 'Bad request', 'The request target must be a path or a valid URL');
      }
      await next();
      return state.answer ?? answerWithoutRoute(ctx);
    } catch (error) {
      return errorAnswer(error);
    }
  }

  return async (ctx, next) => {
    // One list of headers: with Koa's `ctx.set` for each of them, a hit takes 1.3 times as long.
    ctx.respond = false;
    ctx.state = readState(ctx.req);
    const began = clock.monotonic();
    const answer = await answerTo(ctx, next);
    const { publicAgeSeconds } = answer;
    const forNginx =
      publicAgeSeconds === undefined ? [] : fetchedAtHeader(publicAgeSeconds, clock.now());
    const status = write(ctx, answer, forNginx, closing.aborted);
    logRequest(ctx, answer, status, began);
  };
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
  if (status < 400 && state.ignored !== '') headers.push(IGNORED, state.ignored);
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
 * Returns whether the client already has this representation (RFC 9110, 13.1.2). Koa's `fresh` is
 * always false for `fetch`, which sends `Cache-Control: no-cache` with each `If-None-Match`.
 */
function isNotModified({ method, req }: AppContext, { status, tag }: Answer): boolean {
  const condition = req.headers['if-none-match'];
  if (condition === undefined || tag === undefined || status !== 200) return false;
  if (method !== 'GET' && method !== 'HEAD') return false;
  // The tags of this service contain no quotes inside, so a tag matches only as a whole.
  return condition.trim() === '*' || condition.includes(tag.replace('W/', ''));
}

/**
 * Returns the `Connection` header if the default of Node.js would lose a request or a response:
 * while the process closes, and after a 408, when the rest of the body may still arrive. If the
 * client still sends its body, `bounded-server.ts` closes the connection after the response.
 */
function connectionOf({ req, res }: AppContext, { status }: Answer, isClosing: boolean) {
  if (isClosing || status === 408) return 'close';
  return req.complete || res.hasHeader('Connection') ? undefined : 'keep-alive';
}
