import { SERVICE_NAME, SERVICE_VERSION } from '../../src/base/version.js';
import { cacheControl } from './headers.js';
import { json, shared } from './responses.js';

const legacy = (alias: boolean) => (alias ? ' (alias of /api/v1/health)' : '');

const probe = (definition: string, description: string, example: object) =>
  json(definition, description, example, cacheControl('no-store'));

const healthOperation = (operationId: string, alias: boolean) => ({
  tags: ['health'],
  operationId,
  summary: `Basic health check${legacy(alias)}`,
  description: 'Responds with 200 while the service runs. Does not count toward a limit.',
  responses: {
    200: probe('Health', 'The service is running.', {
      status: 'ok',
      service: SERVICE_NAME,
      version: SERVICE_VERSION,
    }),
    500: shared('InternalError'),
  },
});

/** The probes. They do not count toward a limit, and do not call a weather provider. */
export const healthPaths = {
  '/api/v1/health': { get: healthOperation('getHealth', false) },
  '/api/v1/health/live': {
    get: {
      tags: ['health'],
      operationId: 'getLiveness',
      summary: 'Liveness probe',
      description: 'If it does not respond, restart the process. It checks no other system.',
      responses: {
        200: probe('Liveness', 'The process is alive.', { status: 'alive' }),
        500: shared('InternalError'),
      },
    },
  },
  '/api/v1/health/ready': {
    get: {
      tags: ['health'],
      operationId: 'getReadiness',
      summary: 'Readiness probe',
      description:
        'Send requests to this process only while the response is 200. It arrives within one second. ' +
        'The process is not ready until the store was available once, while the store is ' +
        'unavailable (unless the operator decided otherwise), and during shutdown. It does not ' +
        'depend on weather providers.',
      responses: {
        200: probe('Readiness', 'The process is ready.', {
          status: 'ready',
          checks: { redis: 'ok' },
        }),
        500: shared('InternalError'),
        503: probe('Readiness', 'The process is not ready.', {
          status: 'not_ready',
          checks: { redis: 'down' },
        }),
      },
    },
  },
  '/api/health': { get: healthOperation('getHealthLegacy', true) },
};
