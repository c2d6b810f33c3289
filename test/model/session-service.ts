import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import Koa from 'koa';
import { noInstruments } from '../../src/base/instruments.js';
import { jsonAnswer } from '../../src/http/answer.js';
import type { RequestState } from '../../src/http/context.js';
import { createSessions } from '../../src/http/edge/session-cookie.js';
import { recentSearchRoutes } from '../../src/http/endpoints/recent-search-routes.js';
import { errorAnswer } from '../../src/http/error-answers.js';
import type { Sessions } from '../../src/weather/recent-searches.js';
import type { Clock } from '../../src/weather/types.js';

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
 * The sessions of one replica, without sockets: the real cookies and routes. `GET /search?city=…`
 * stands for a weather request. The city's name up to the first space is the key of its place.
 */
export function createSessionService(options: {
  store: Sessions;
  clock: Clock;
}): (request: SessionRequest) => Promise<SessionResponse> {
  const app = new Koa<RequestState>();
  app.keys = ['a-key-of-the-model-test-with-32-letters'];
  const session = createSessions(app, {
    ...{ store: options.store, ttls: TTLS, clock: options.clock },
    ...{ warnInsecure: undefined, instruments: noInstruments },
  });
  const responses = new WeakMap<IncomingMessage, SessionResponse>();
  const routes = recentSearchRoutes({ store: options.store, sessions: session });
  app.use(async (ctx) => {
    Object.assign(ctx.state, { secure: false, corsHeaders: [] });
    const route = routes.find(({ method, paths: [path] }) => {
      return path === ctx.req.url && method.toUpperCase() === ctx.method;
    });
    const city = String(ctx.query['city']);
    const [placeKey = ''] = city.split(' ');
    const visit = await session.open(ctx, route ? 'existing' : 'establish');
    const { status, body } = route
      ? await Promise.resolve(route.answer(ctx, {})).catch((error: unknown) => errorAnswer(error))
      : jsonAnswer(200, {});
    await session.close(ctx, visit, route ? undefined : { city, country: 'Model', placeKey });
    const set = [ctx.res.getHeader('Set-Cookie') ?? []].flat().map(String);
    const cookie = set.map((line) => line.split(';')[0]).join('; ') || undefined;
    responses.set(ctx.req, { status, body: JSON.parse(String(body)) as unknown, cookie });
  });
  const handle = app.callback();

  return async ({ method, path, cookie }) => {
    const request = new IncomingMessage(new Socket());
    Object.assign(request, { method, url: path, headers: { cookie, host: 'model.test' } });
    await handle(request, new ServerResponse(request));
    return responses.get(request)!;
  };
}
