import { SERVICE_NAME, SERVICE_VERSION } from '../../base/version.js';
import type { Readiness } from '../../process/readiness.js';
import { jsonAnswer } from '../answer.js';
import { objectSchema, oneOf, text, type Schema, type ValueOf } from '../description/schemas.js';
import type { Route } from '../route.js';

/** Basic health, and its alias without a version. */
export const HEALTH_PATHS = { getHealth: '/api/v1/health', getHealthLegacy: '/api/health' };
export const LIVENESS_PATH = '/api/v1/health/live';
export const READINESS_PATH = '/api/v1/health/ready';

export const HEALTH = objectSchema('Health', {
  status: [oneOf('ok'), 'ok'],
  service: [text(), SERVICE_NAME],
  version: [text(), SERVICE_VERSION],
});
export const LIVENESS = objectSchema('Liveness', { status: [oneOf('alive'), 'alive'] });

const { object: checkState } = oneOf('ok', 'down', 'not_configured', 'draining');
const CHECKS: Schema<Readiness['checks']> = {
  object: {
    type: 'object',
    required: ['redis'],
    properties: { redis: checkState },
    additionalProperties: checkState,
    description: 'The state of each thing that the service needs.',
  },
};
export const READINESS = objectSchema('Readiness', {
  status: [oneOf('ready', 'not_ready'), 'ready'],
  checks: [CHECKS, { redis: 'ok' }],
});

/** The routes of basic health, liveness (without any I/O), and readiness. */
export function healthRoutes(options: { readiness: () => Readiness }): Route[] {
  const probeRoute = (paths: string[], answer: Route['answer']): Route => ({
    ...{ method: 'get', paths, isProbe: true, answer },
  });
  const probeAnswer = (status: number, body: object) =>
    jsonAnswer(status, body, { 'Cache-Control': 'no-store' });

  return [
    probeRoute(Object.values(HEALTH_PATHS), () => probeAnswer(200, HEALTH.example)),
    probeRoute([LIVENESS_PATH], () => probeAnswer(200, LIVENESS.example)),
    probeRoute([READINESS_PATH], () => {
      const { ready, checks } = options.readiness();
      const body: ValueOf<typeof READINESS> = { status: ready ? 'ready' : 'not_ready', checks };
      return probeAnswer(ready ? 200 : 503, body);
    }),
  ];
}
