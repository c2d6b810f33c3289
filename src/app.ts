import Router from '@koa/router';
import Keygrip from 'keygrip';
import Koa from 'koa';
import type { Config } from './config/config.js';
import { accessLog } from './http/middleware/access-log.js';
import { connectionHeader } from './http/middleware/connection-header.js';
import type { RequestState } from './http/context.js';
import { cors } from './http/middleware/cors.js';
import { createDocs, docsPaths } from './http/docs/docs.js';
import { errors, responseFailures } from './http/middleware/error-handler.js';
import { knownPaths } from './http/middleware/known-paths.js';
import { shedOverload } from './http/middleware/overload.js';
import { locationRoutes } from './http/endpoints/index.js';
import { createLocationHandlers } from './http/location-handlers.js';
import type { McpRoute } from './http/mcp/index.js';
import { pageRoutes } from './http/page/web-page.js';
import { rateLimit } from './http/middleware/rate-limit.js';
import { requestState } from './http/middleware/request-state.js';
import { securityHeaders } from './http/middleware/security-headers.js';
import { healthRoutes } from './http/endpoints/health.js';
import { createSuggestionHandler, suggestionRoutes } from './http/endpoints/suggestions.js';
import { securityTxtRoute } from './http/endpoints/security-txt.js';
import { recentSearchRoutes } from './http/endpoints/recent-searches.js';
import { sessions } from './http/middleware/session-cookie.js';
import { boundedQuery, wellFormed } from './http/middleware/well-formed.js';
import { createLimiter, type RequestGroup } from './limits/limiter.js';
import { attributionOf, creditOf } from './config/providers.js';
import { noInstruments } from './base/instruments.js';
import type { Lifecycle } from './process/lifecycle.js';
import type { Logger } from './process/log.js';
import type { Services } from './services.js';
import type { Clock } from './weather/types.js';

export interface AppOptions {
  config: Config;
  services: Services;
  /** The first key signs session cookies. Each key can verify them. */
  sessionKeys: string[];
  log: Logger;
  clock: Clock;
  lifecycle: Lifecycle;
  /** Milliseconds that a client has to send a body. */
  bodyMs: number;
  /** Serves assistants. Undefined: nothing does. */
  mcpRoute?: McpRoute | undefined;
}

/** Creates the HTTP side: every route and middleware, in order. Does not listen. */
export function createApp(options: AppOptions): Koa<RequestState> {
  const { config, services, sessionKeys, log, clock, lifecycle, bodyMs, mcpRoute } = options;
  const { store } = services;
  const instruments = services.metrics?.instruments ?? noInstruments;

  const app = new Koa<RequestState>();
  app.keys = new Keygrip(sessionKeys, 'sha256');
  app.on('error', responseFailures(log));

  // A path with a trailing slash, or in another case, is a different path.
  const router = new Router<RequestState>({ strict: true, sensitive: true });
  const windowsOf = (group: RequestGroup) =>
    store.windows[group === 'suggestions' ? 'suggestions' : 'limits'];
  const limit = (group: RequestGroup, { isPublic } = { isPublic: false }) =>
    rateLimit(group, createLimiter(group, config.rateLimits, windowsOf(group)), {
      now: () => clock.now(),
      limits: config.rateLimits,
      isPublic,
      dryRun: config.rateLimits.dryRun,
    });
  const shed = shedOverload({ log, instruments });
  const session = sessions(app, {
    store: store.sessions,
    ttls: config.session,
    warnInsecure: config.production ? log : undefined,
    instruments,
    clock,
  });

  const handlers = createLocationHandlers({
    locator: services.locator,
    lookup: services.lookup,
    attributionOf,
    creditOf,
    timeZoneAt: services.timeZoneAt,
    middleware: {
      session: [shed, limit('weather'), session.establish, boundedQuery],
      public: [shed, limit('weather', { isPublic: true }), boundedQuery],
    },
    session,
    bodyMs,
    clock,
  });
  locationRoutes(router, handlers);
  recentSearchRoutes(router, {
    sessions: store.sessions,
    session,
    middleware: [shed, limit('searches'), session.existing, boundedQuery],
  });

  const suggestions = createSuggestionHandler({
    suggest: (text, limit, country) => services.gazetteer.suggest(text, limit, country),
    middleware: [shed, limit('suggestions', { isPublic: true }), boundedQuery],
    clock,
  });
  suggestionRoutes(router, suggestions);
  const limited = new Set(router.stack.map(({ path }) => String(path)));
  mcpRoute?.(router, { handlers, suggestions, creditOf, middleware: [shed], bodyMs });
  healthRoutes(router, { readiness: () => services.readiness() });
  securityTxtRoute(router, { now: () => clock.now() });

  services.metrics?.expectRoutes(
    router.stack
      .map(({ path, methods }) => ({
        path: String(path),
        methods: methods.filter((name) => name !== 'HEAD'),
      }))
      .filter(({ path }) => !path.includes('/health')),
  );
  // Registered after the metrics have listed the routes. Files from memory do not fail, so they
  // need no series of errors.
  pageRoutes(router);

  app.use(connectionHeader(lifecycle.closing));
  app.use(
    requestState({
      trustedProxies: config.trustedProxies,
      log,
      clock,
      timeoutMs: config.requestTimeoutMs,
      signal: lifecycle.ending,
    }),
  );
  app.use(accessLog({ log, clock, instruments }));
  app.use(cors(config.corsOrigins));
  app.use(securityHeaders());
  app.use(errors());
  app.use(wellFormed((path) => limited.has(path)));
  app.use(router.routes());
  app.use(createDocs());
  app.use(knownPaths(router, docsPaths));
  return app;
}
