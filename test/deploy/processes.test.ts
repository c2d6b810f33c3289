import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import Router from '@koa/router';
import { loadConfig } from '../../src/config/config.js';
import { VARIABLE_NAMES } from '../../src/config/variables.js';
import type { RequestState } from '../../src/http/context.js';
import { healthRoutes } from '../../src/http/routes/health.js';
import { createMetrics } from '../../src/process/metrics.js';
import { createMetricsServer } from '../../src/process/metrics-server.js';
import { ask } from '../support/http-client.js';
import { listenLocally } from '../support/listen-locally.js';
import { readCompose } from './compose-file.js';
import { render } from './kubectl.js';
import { environmentOf, service, type Container } from './kubernetes-objects.js';

/** How Compose or an overlay runs one process of the service. */
interface Deployed {
  where: string;
  role: 'api' | 'worker';
  env: Record<string, string>;
  /** Seconds from SIGTERM to SIGKILL. */
  graceSeconds: number;
  probes: { path: string; port: number | undefined }[];
}

/** The shortest time-out of a proxy in front of the service: Compose's nginx, Ingress and HTTPRoute. */
const PROXY_TIMEOUT_MS = 120_000;

function inCompose(): Deployed[] {
  const { services } = readCompose();
  return (['api', 'worker'] as const).map((role) => {
    const { environment: env = {}, stop_grace_period = '', healthcheck } = services[role]!;
    const asked = /^http:\/\/127\.0\.0\.1:(\d+)(\/\S*)$/.exec(healthcheck?.test.at(-1) ?? '');
    const probes = asked ? [{ port: Number(asked[1]), path: asked[2] ?? '' }] : [];
    const graceSeconds = Number(/^(\d+)s$/.exec(stop_grace_period)?.[1]);
    return { where: `Compose, ${role}`, role, env, graceSeconds, probes };
  });
}

function inOverlay(name: string): Deployed[] {
  const objects = render(`overlays/${name}`);
  return service(objects).map(({ role, spec, container }) => {
    const pause = (container as Partial<Container>).lifecycle?.preStop.sleep.seconds ?? 0;
    const { startupProbe, livenessProbe, readinessProbe } = container;
    return {
      where: `overlay ${name}, ${role}`,
      role,
      env: environmentOf(container, objects),
      graceSeconds: spec.terminationGracePeriodSeconds - pause,
      probes: [startupProbe, livenessProbe, readinessProbe].map(({ httpGet: { path, port } }) => ({
        path,
        port: container.ports.find((each) => each.name === port)?.containerPort,
      })),
    };
  });
}

const deployed = [...inCompose(), ...['development', 'production'].flatMap(inOverlay)];

for (const { where, role, env, graceSeconds, probes } of deployed) {
  describe(`a process of the service (${where})`, () => {
    const config = loadConfig(env, role);

    it('gets only variables that exist, and no worker in an API replica', () => {
      const unknown = Object.keys(env).filter((name) => !VARIABLE_NAMES.includes(name));
      assert.deepEqual(unknown, []);
      assert.equal(config.runWorker, false);
    });

    it('has time for its shutdown before it is killed', () => {
      const needed = (config.shutdown.delayMs + config.shutdown.timeoutMs) / 1000;
      assert.ok(graceSeconds > needed, `${graceSeconds} s for ${needed} s`);
    });

    if (role === 'api') {
      it('ends a request before the proxy does', () => {
        assert.ok(config.requestTimeoutMs < PROXY_TIMEOUT_MS);
      });
    }

    it('is probed on ports and paths that exist', async (t) => {
      const health = { isHealthy: () => true, isReady: () => true };
      const metricsUrl = await listenLocally(t, createMetricsServer(createMetrics(), health));
      const router = new Router<RequestState>();
      healthRoutes(router, { readiness: () => ({ ready: true, checks: {} }) });
      for (const { path, port } of probes) {
        if (port === config.metricsPort) {
          assert.equal((await ask(metricsUrl + path)).status, 200, path);
        } else {
          assert.equal(port, config.port, path);
          assert.ok(router.match(path, 'GET').route, path);
        }
      }
    });
  });
}

describe('a Kubernetes pod', () => {
  it('is alive before it reaches Redis, and ready only after that', () => {
    for (const { role, where, probes } of deployed) {
      if (where.startsWith('Compose')) continue;
      const [live, ready] =
        role === 'api' ? ['/api/v1/health/live', '/api/v1/health/ready'] : ['/healthz', '/readyz'];
      const paths = probes.map(({ path }) => path);
      assert.deepEqual(paths, [live, live, ready], where);
    }
  });
});
