import { SERVICE_NAME, SERVICE_VERSION } from '../../base/version.js';
import { jsonAnswer, type Answer } from '../answer.js';
import type { Route } from '../context.js';

/** The readiness of a process, and the states that it depends on. */
export interface Readiness {
  ready: boolean;
  checks: Record<string, 'ok' | 'down' | 'not_configured' | 'draining'>;
}

const HEALTHY = probeAnswer(200, { status: 'ok', service: SERVICE_NAME, version: SERVICE_VERSION });
const ALIVE = probeAnswer(200, { status: 'alive' });

/** The routes of basic health, liveness (without any I/O), and readiness. */
export function healthRoutes(options: { readiness: () => Readiness }): Route[] {
  const probeRoute = (paths: string[], answer: Route['answer']): Route => ({
    method: 'get',
    paths,
    isProbe: true,
    answer,
  });
  return [
    probeRoute(['/api/v1/health', '/api/health'], () => HEALTHY),
    probeRoute(['/api/v1/health/live'], () => ALIVE),
    probeRoute(['/api/v1/health/ready'], () => {
      const { ready, checks } = options.readiness();
      const status = ready ? 'ready' : 'not_ready';
      return probeAnswer(ready ? 200 : 503, { status, checks });
    }),
  ];
}

function probeAnswer(status: number, body: object): Answer {
  return jsonAnswer(status, body, { 'Cache-Control': 'no-store' });
}
