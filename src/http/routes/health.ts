import type Router from '@koa/router';
import { SERVICE_NAME, SERVICE_VERSION } from '../../base/version.js';
import type { Readiness } from '../../process/readiness.js';
import type { AppMiddleware, RequestState } from '../context.js';

/** Serves basic health, liveness (without any I/O), and readiness. */
export function healthRoutes(
  router: Router<RequestState>,
  options: { readiness: () => Readiness },
): void {
  const health: AppMiddleware = (ctx) => {
    ctx.body = { status: 'ok', service: SERVICE_NAME, version: SERVICE_VERSION };
  };
  router.get('/api/health', asProbe, health);
  router.get('/api/v1/health', asProbe, health);

  router.get('/api/v1/health/live', asProbe, (ctx) => {
    ctx.body = { status: 'alive' };
  });

  router.get('/api/v1/health/ready', asProbe, (ctx) => {
    const { ready, checks } = options.readiness();
    ctx.status = ready ? 200 : 503;
    ctx.body = { status: ready ? 'ready' : 'not_ready', checks };
  });
}

const asProbe: AppMiddleware = (ctx, next) => {
  ctx.state.probe = true;
  ctx.set('Cache-Control', 'no-store');
  return next();
};
