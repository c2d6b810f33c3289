import { randomBytes } from 'node:crypto';
import Keygrip from 'keygrip';
import Koa from 'koa';
import type { RequestState, Route } from './http/context.js';
import { docsRoutes } from './http/docs/docs.js';
import { createEdge } from './http/edge/edge.js';
import { createHandle } from './http/edge/handle.js';
import { createKnownUrls } from './http/edge/known-urls.js';
import { createLimits } from './http/edge/limits.js';
import { responseFailures } from './http/edge/request-log.js';
import { createRouter } from './http/edge/routing.js';
import { createSessions } from './http/edge/session-cookie.js';
import { healthRoutes } from './http/endpoints/probes.js';
import { locationRoutes } from './http/endpoints/location-routes.js';
import { recentSearchRoutes } from './http/endpoints/recent-search-routes.js';
import { createSuggester, suggestionRoute } from './http/endpoints/suggestions.js';
import { createFinder } from './http/finder.js';
import { createLocationAnswerer } from './http/location-answers.js';
import { mcpRoute } from './http/mcp/mcp-route.js';
import { pageRoutes } from './http/page/web-page.js';
import { createNamedClients } from './limits/named-clients.js';
import type { ProcessContext } from './process/context.js';
import type { Services } from './services.js';

interface AppOptions extends ProcessContext {
  services: Services;
}

/** Creates the HTTP side: every route, and the edge that serves them. Does not listen. */
export function createApp(options: AppOptions): Koa<RequestState> {
  const { config, services, log, clock, lifecycle } = options;
  const { store, lookup, locator, gazetteer, instruments } = services;

  const app = new Koa<RequestState>();
  // The first key signs session cookies. Each key can verify them.
  const keys = config.SESSION_SECRET_KEY ?? [randomBytes(32).toString('hex')];
  app.keys = new Keygrip(keys, 'sha256');
  app.on('error', responseFailures(log));

  const sessions = createSessions(app, {
    store: store.sessions,
    ttls: config.sessionTtls,
    warnInsecure: config.production ? log : undefined,
    clock,
  });
  const countRequest = createLimits({
    limits: {
      perIp: {
        limit: config.RATE_LIMIT_PER_IP,
        windowSeconds: config.RATE_LIMIT_PER_IP_WINDOW_SECONDS,
      },
      total: {
        limit: config.RATE_LIMIT_TOTAL,
        windowSeconds: config.RATE_LIMIT_TOTAL_WINDOW_SECONDS,
      },
      fetchesPerIp: {
        limit: config.RATE_LIMIT_FETCHES_PER_IP,
        windowSeconds: config.RATE_LIMIT_FETCHES_PER_IP_WINDOW_SECONDS,
      },
      replicasHint: config.REPLICAS_HINT,
    },
    windowsOf: (group) => store.windows[group === 'suggestions' ? 'suggestions' : 'limits'],
    dryRun: config.RATE_LIMIT_DRY_RUN,
    now: () => clock.now(),
  });
  const finder = createFinder({ locator, lookup, clock });
  const suggest = createSuggester(gazetteer);
  const { CLIENTS_FILE: file } = config;
  const clients = file === undefined ? undefined : createNamedClients({ file, log });
  if (clients) lifecycle.onClose(clients.stop);

  const apiRoutes: Route[] = [
    ...locationRoutes(createLocationAnswerer(finder)),
    ...recentSearchRoutes({ store: store.sessions, sessions }),
    suggestionRoute(suggest),
    ...(config.MCP_ENABLED ? [mcpRoute({ finder, suggest, countRequest })] : []),
  ];
  // Probes, and files from memory, do not fail, so they need no series of errors.
  services.metrics?.expectRoutes(apiRoutes);

  const routes = [
    ...apiRoutes,
    ...healthRoutes({ readiness: () => services.readiness() }),
    ...pageRoutes(gazetteer, config.MCP_ENABLED),
    ...docsRoutes(),
  ];
  const handle = createHandle({ countRequest, sessions, instruments });
  const router = createRouter(routes, handle);
  const edge = createEdge({
    trustedProxies: config.TRUST_PROXY,
    clients,
    corsOrigins: config.CORS_ORIGINS,
    timeoutMs: config.REQUEST_TIMEOUT_MS,
    closing: lifecycle.closing,
    ending: lifecycle.ending,
    log,
    clock,
    instruments,
  });

  app.use(edge);
  app.use(createKnownUrls(handle));
  app.use(router.routes());
  app.use(router.allowedMethods());
  return app;
}
