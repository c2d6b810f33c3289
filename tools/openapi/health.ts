import { SERVICE_NAME, SERVICE_VERSION } from '../../src/process/version.js';
import { cacheControl } from './headers.js';
import { json, shared } from './responses.js';

const legacy = (alias: boolean) => (alias ? ' (alias of /api/v1/health)' : '');

const probe = (definition: string, description: string, example: object) =>
  json(definition, description, example, cacheControl('no-store'));

const healthOperation = (operationId: string, alias: boolean) => ({
  tags: ['health'],
  operationId,
  summary: `Basic health check${legacy(alias)}`,
  description: 'Answers as long as the service runs. Never counted towards a limit.',
  responses: {
    200: probe('Health', 'The service is running.', {
      status: 'ok',
      service: SERVICE_NAME,
      version: SERVICE_VERSION,
    }),
    500: shared('InternalError'),
  },
});

/** The probes. None of them counts towards a limit or asks a weather provider. */
export const healthPaths = {
  '/api/v1/health': { get: healthOperation('getHealth', false) },
  '/api/v1/health/live': {
    get: {
      tags: ['health'],
      operationId: 'getLiveness',
      summary: 'Liveness probe',
      description: 'Restart the process when this does not answer. It asks nothing else.',
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
        'Send requests here only while this answers 200. Answers within one second. Not ready ' +
        'until the store was reached once, while it is down (unless the operator decided ' +
        'otherwise), and while the process shuts down. Weather providers do not matter.',
      responses: {
        200: probe('Readiness', 'Ready to take requests.', {
          status: 'ready',
          checks: { redis: 'ok' },
        }),
        500: shared('InternalError'),
        503: probe('Readiness', 'Not ready to take requests.', {
          status: 'not_ready',
          checks: { redis: 'down' },
        }),
      },
    },
  },
  '/api/health': { get: healthOperation('getHealthLegacy', true) },
};
