import { SERVICE_NAME, SERVICE_VERSION } from '../../src/base/version.js';
import {
  objectSchema,
  text,
  type ObjectSchema,
  type Schema,
} from '../../src/http/description/schemas.js';
import {
  HEALTH_PATHS,
  LIVENESS_PATH,
  READINESS_PATH,
  type Readiness,
} from '../../src/http/endpoints/probes.js';
import { definitionsOf } from './definitions.js';
import { cacheControl } from './headers.js';
import { json, shared } from './responses.js';
import type { DescriptionPart, Operation } from './types.js';

/** One of several texts. */
const oneOf = <Value extends string>(...values: Value[]): Schema<Value> => ({
  object: { type: 'string', enum: values },
});

const HEALTH = objectSchema('Health', {
  status: [oneOf('ok'), 'ok'],
  service: [text(), SERVICE_NAME],
  version: [text(), SERVICE_VERSION],
});
const LIVENESS = objectSchema('Liveness', { status: [oneOf('alive'), 'alive'] });

const { object: checkState } = oneOf('ok', 'down', 'not_configured', 'draining');
const CHECKS: Schema<Readiness['checks']> = {
  object: {
    type: 'object',
    required: ['redis'],
    properties: { redis: checkState },
    additionalProperties: checkState,
    description: 'The state of Redis and, during shutdown, of the server.',
  },
};
const READINESS = objectSchema('Readiness', {
  status: [oneOf('ready', 'not_ready'), 'ready'],
  checks: [CHECKS, { redis: 'ok' }],
});

/** The response of a probe. @param example a body, unless it is the example of the schema */
const probe = <Value extends object>(
  schema: ObjectSchema<Value>,
  description: string,
  example = schema.example,
) => json(schema, description, example, cacheControl('no-store'));

const healthOperation = (operationId: string, path: string): Operation => ({
  tags: ['health'],
  operationId,
  summary: `Basic health check${path === HEALTH_PATHS.getHealth ? '' : ` (alias of ${HEALTH_PATHS.getHealth})`}`,
  description: 'Responds with 200 while the service runs. Does not count toward a limit.',
  responses: { 200: probe(HEALTH, 'The service is running.'), 500: shared('InternalError') },
});

/** The probes. They do not count toward a limit, and do not call a weather provider. */
export const describeHealth = (): DescriptionPart => ({
  definitions: definitionsOf(HEALTH, LIVENESS, READINESS),
  paths: {
    [HEALTH_PATHS.getHealth]: { get: healthOperation('getHealth', HEALTH_PATHS.getHealth) },
    [LIVENESS_PATH]: {
      get: {
        tags: ['health'],
        operationId: 'getLiveness',
        summary: 'Liveness probe',
        description: 'If it does not respond, restart the process. It checks no other system.',
        responses: {
          200: probe(LIVENESS, 'The process is alive.'),
          500: shared('InternalError'),
        },
      },
    },
    [READINESS_PATH]: {
      get: {
        tags: ['health'],
        operationId: 'getReadiness',
        summary: 'Readiness probe',
        description:
          'Send requests to this process only while the response is 200. It arrives within one second. ' +
          'The process is not ready until Redis has been available once, while Redis is unavailable (unless ' +
          'the operator has set `READINESS_REQUIRES_REDIS=false`), and during shutdown. It does not ' +
          'depend on weather providers.',
        responses: {
          200: probe(READINESS, 'The process is ready.'),
          500: shared('InternalError'),
          503: probe(READINESS, 'The process is not ready.', {
            status: 'not_ready',
            checks: { redis: 'down' },
          }),
        },
      },
    },
    [HEALTH_PATHS.getHealthLegacy]: {
      get: healthOperation('getHealthLegacy', HEALTH_PATHS.getHealthLegacy),
    },
  },
});
