import Router from '@koa/router';
import Koa from 'koa';
import type { Config } from './config/config.js';
import { accessLog } from './http/middleware/access-log.js';
import { client } from './http/middleware/client.js';
import { closeConnections } from './http/middleware/closing.js';
import type { RequestState } from './http/context.js';
import { cors } from './http/middleware/cors.js';
import { createDocs, docsPaths } from './http/docs/docs.js';
import { errors, responseFailures } from './http/middleware/errors.js';
import { knownPaths } from './http/middleware/known-paths.js';
import { overload } from './http/middleware/overload.js';
import { createLocationHandlers } from './http/location-handlers.js';
import { pageRoutes } from './http/page/web-page.js';
import { rateLimit } from './http/middleware/rate-limit.js';
import { requestId } from './http/middleware/request-id.js';
import { scope } from './http/middleware/scope.js';
import { securityHeaders } from './http/middleware/security-headers.js';
import { forecastRoutes } from './http/routes/forecast.js';
import { healthRoutes } from './http/routes/health.js';
import { placeRoutes } from './http/routes/places.js';
import { securityTxtRoute } from './http/routes/security-txt.js';
import { searchRoutes } from './http/routes/searches.js';
import { weatherRoutes } from './http/routes/weather.js';
import { sessions } from './http/middleware/session.js';
import { boundedQuery, target } from './http/middleware/target.js';
import { wellFormed } from './http/middleware/well-formed.js';
import { createSigningKeys } from './http/signing-keys.js';
import { createLimiter, type RequestKind } from './limits/limiter.js';
import { attributionOf } from './config/providers.js';
import { noInstruments } from './process/instruments.js';
import type { Lifecycle } from './process/lifecycle.js';
import type { Logger } from './process/log.js';
import type { Services } from './services.js';
import type { Clock } from './weather/types.js';

export interface AppOptions {
  config: Config;
  services: Services;
  /** The first signs session cookies, all verify. */
  sessionKeys: string[];
  log: Logger;
  clock: Clock;
  lifecycle: Lifecycle;
  /** How long a client may take to send a body, in milliseconds. */
  bodyMs: number;
}

/** The whole HTTP side, top to bottom. Builds the app; never listens. */
export function createApp(options: AppOptions): Koa<RequestState> {
  const { config, services, sessionKeys, log, clock, lifecycle, bodyMs } = options;
  const { stores } = services;
  const instruments = services.metrics?.instruments ?? noInstruments;

  const app = new Koa<RequestState>();
  app.keys = createSigningKeys(sessionKeys);
  app.on('error', responseFailures(log));

  // Exact paths: a trailing slash or another case is another path.
  const router = new Router<RequestState>({ strict: true, sensitive: true });
  const windowsOf = (kind: RequestKind) =>
    stores.windows[kind === 'suggestions' ? 'suggestions' : 'limits'];
  const limit = (kind: RequestKind) =>
    rateLimit(kind, createLimiter(kind, config.rateLimits, windowsOf(kind)), {
      now: () => stores.now(),
      limits: config.rateLimits,
      dryRun: config.rateLimits.dryRun,
    });
  const admit = overload({ log, instruments });
  const session = sessions(app, {
    store: stores.sessions,
    lives: config.session,
    warnInsecure: config.production ? log : undefined,
    now: () => stores.now(),
  });

  const handlers = createLocationHandlers({
    locator: services.locator,
    lookup: services.lookup,
    attributionOf,
    guards: [admit, limit('weather'), session.establish, boundedQuery],
    session,
    bodyMs,
    clock,
  });
  weatherRoutes(router, { handlers, clock });
  forecastRoutes(router, { handlers, clock });
  searchRoutes(router, {
    sessions: stores.sessions,
    session,
    guards: [admit, limit('searches'), session.existing, boundedQuery],
  });

  placeRoutes(router, {
    suggest: (text, limit, country) => services.gazetteer.suggest(text, limit, country),
    guards: [admit, limit('suggestions'), boundedQuery],
  });
  const counted = new Set(router.stack.map(({ path }) => String(path)));
  healthRoutes(router, { readiness: () => services.readiness() });
  securityTxtRoute(router, { now: () => stores.now() });

  services.metrics?.expectRoutes(
    router.stack
      .map(({ path, methods }) => ({
        path: String(path),
        methods: methods.filter((name) => name !== 'HEAD'),
      }))
      .filter(({ path }) => !path.includes('/health')),
  );
  // Files from memory: nothing that could fail is expected of them.
  pageRoutes(router);

  app.use(closeConnections(lifecycle.closing));
  app.use(target());
  app.use(requestId());
  app.use(client(config.trustedProxies, log));
  app.use(scope({ clock, timeoutMs: config.requestTimeoutMs, signal: lifecycle.ending }));
  app.use(accessLog({ log, clock, instruments }));
  app.use(cors(config.corsOrigins));
  app.use(securityHeaders());
  app.use(errors());
  app.use(wellFormed((path) => counted.has(path)));
  app.use(router.routes());
  app.use(createDocs());
  app.use(knownPaths(router, docsPaths));
  return app;
}
