import Router from '@koa/router';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { before, describe, it } from 'node:test';
import { loadConfig } from '../../src/config/config.js';
import { VARIABLE_NAMES } from '../../src/config/variables.js';
import type { RequestState } from '../../src/http/context.js';
import { healthRoutes } from '../../src/http/routes/health.js';
import { createMetrics } from '../../src/process/metrics.js';
import { createMetricsServer } from '../../src/process/metrics-server.js';
import { ask } from '../support/http-client.js';
import { suiteLifetime } from '../support/lifetime.js';
import { readCompose } from './compose-file.js';
import { render } from './kubectl.js';
import { environmentOf, service, type Container } from './objects.js';

/** What Compose and each overlay say about one process of the service. */
interface Deployed {
  where: string;
  role: 'api' | 'worker';
  env: Record<string, string>;
  /** From the signal to end until it is killed, without the pause before the signal. */
  graceSeconds: number;
  /** What asks whether it starts, lives and is ready; on which port. */
  probes: { path: string; port: number | undefined }[];
}

function inCompose(): Deployed[] {
  const { services } = readCompose();
  return (['api', 'worker'] as const).map((role) => {
    const { environment: env = {}, stop_grace_period = '', healthcheck } = services[role]!;
    const asked = /^http:\/\/127\.0\.0\.1:(\d+)(\/\S*)$/.exec(healthcheck?.test.at(-1) ?? '');
    const probes = asked ? [{ port: Number(asked[1]), path: asked[2] ?? '' }] : [];
    const graceSeconds = Number(/^(\d+)s$/.exec(stop_grace_period)?.[1]);
    return { where: `${role} of Compose`, role, env, graceSeconds, probes };
  });
}

function inOverlay(name: string): Deployed[] {
  const objects = render(`overlays/${name}`);
  return service(objects).map(({ role, spec, container }) => {
    const pause = (container as Partial<Container>).lifecycle?.preStop.sleep.seconds ?? 0;
    const { startupProbe, livenessProbe, readinessProbe } = container;
    return {
      where: `${role} of ${name}`,
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

const OVERLAYS = ['development', 'production', 'production-gateway', 'production-keda'];
const deployed = [...inCompose(), ...OVERLAYS.flatMap(inOverlay)];

describe('the processes of the service, as they are deployed', () => {
  const lifetime = suiteLifetime();
  let isReady = true;
  let metricsUrl: string;
  const router = new Router<RequestState>();
  healthRoutes(router, { readiness: () => ({ ready: true, checks: {} }) });

  before(async () => {
    const health = { isWell: () => true, isReady: () => isReady };
    const server = createMetricsServer(createMetrics(), health).listen(0, '127.0.0.1');
    lifetime.after(() => server.close());
    await (server.listening || once(server, 'listening'));
    metricsUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  for (const { where, role, env, graceSeconds, probes } of deployed) {
    const config = loadConfig(env, role);

    it(`${where}: gets only variables that it knows, and fetches in workers`, () => {
      const unknown = Object.keys(env).filter((name) => !VARIABLE_NAMES.includes(name));
      assert.deepEqual(unknown, []);
      assert.equal(config.runWorker, false);
    });

    it(`${where}: has the time that its end takes`, () => {
      const needed = (config.shutdown.delayMs + config.shutdown.timeoutMs) / 1000;
      assert.ok(graceSeconds > needed, `${graceSeconds} s for ${needed} s`);
    });

    it(`${where}: is probed on ports and paths that it has`, async () => {
      for (const { path, port } of probes) {
        if (port === config.metricsPort) {
          assert.equal((await ask(metricsUrl + path)).status, 200, path);
        } else {
          assert.equal(port, config.port, path);
          assert.ok(router.match(path, 'GET').route, path);
        }
      }
    });
  }

  it('gives up a request before the proxy in front does', () => {
    for (const { env } of deployed.filter(({ role }) => role === 'api')) {
      assert.ok(loadConfig(env, 'api').requestTimeoutMs < 120_000);
    }
  });

  it('count as ready once Redis is reached, but live before', async () => {
    const paths = deployed.map(({ probes }) => probes.map(({ path }) => path));
    const of = (role: string) => paths[deployed.findIndex(({ where }) => where === role)];
    const live = '/api/v1/health/live';
    const ready = '/api/v1/health/ready';
    assert.deepEqual(of('api of Compose'), [ready]);
    assert.deepEqual(of('api of production'), [live, live, ready]);
    isReady = false;
    const told = of('worker of production')!.map(
      async (path) => (await ask(metricsUrl + path)).status,
    );
    assert.deepEqual(await Promise.all(told), [200, 200, 503]);
  });
});
