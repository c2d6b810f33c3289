import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import Router from '@koa/router';
import Koa from 'koa';
import {
  createRequestSessions,
  noInstruments,
  recentSearchRoutes,
  StoreUnavailableError,
  type RequestState,
  type Clock,
  type Sessions,
} from './adapters.js';

export interface SessionRequest {
  method: 'GET' | 'DELETE';
  path: string;
  cookie: string;
}

export interface SessionResponse {
  status: number;
  body: unknown;
  /** The cookies that the client sends from now on. Undefined: they do not change. */
  cookie: string | undefined;
}

const TTLS = { ttlSeconds: 86_400, unconfirmedTtlSeconds: 1800 };

/**
 * The sessions of one replica, without sockets: the real middleware and routes. `GET /search?city=…` stands for
 * a weather request. The part of the city's name before the first space is the key of its place.
 */
export function createSessionService(options: {
  store: Sessions;
  clock: Clock;
}): (request: SessionRequest) => Promise<SessionResponse> {
  const app = new Koa<RequestState>();
  app.keys = ['a-key-of-the-model-test-with-32-letters'];
  const session = createRequestSessions(app, {
    ...{ store: options.store, ttls: TTLS, clock: options.clock },
    ...{ warnInsecure: undefined, instruments: noInstruments },
  });
  const responses = new WeakMap<IncomingMessage, SessionResponse>();
  app.use(async (ctx, next) => {
    ctx.state.secure = false;
    try {
      await next();
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      ctx.status = 503;
    }
    const set = [ctx.res.getHeader('Set-Cookie') ?? []].flat().map(String);
    const cookie = set.map((line) => line.split(';')[0]).join('; ') || undefined;
    responses.set(ctx.req, { status: ctx.status, body: ctx.body, cookie });
  });
  const router = new Router<RequestState>();
  router.get('/search', session.establish, async (ctx) => {
    const city = String(ctx.query['city']);
    const [placeKey = ''] = city.split(' ');
    await session.record(ctx, { city, country: 'Model', placeKey });
    ctx.body = {};
  });
  recentSearchRoutes(router, {
    ...{ sessions: options.store, session, middleware: [session.existing] },
  });
  app.use(router.routes());
  const handle = app.callback();

  return async ({ method, path, cookie }) => {
    const request = new IncomingMessage(new Socket());
    Object.assign(request, { method, url: path, headers: { cookie, host: 'model.test' } });
    await handle(request, new ServerResponse(request));
    return responses.get(request)!;
  };
}
