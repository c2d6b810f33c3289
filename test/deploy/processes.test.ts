import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadConfig } from '../../src/config/config.js';
import { VARIABLE_NAMES } from '../../src/config/variables.js';
import { readCompose } from './compose-file.js';
import { render } from './kubectl.js';
import { environmentOf, service } from './kubernetes-objects.js';

/** How Compose or an overlay runs one process of the service. */
interface Deployed {
  where: string;
  role: 'api' | 'worker';
  env: Record<string, string>;
  /** Seconds from SIGTERM to SIGKILL. */
  graceSeconds: number;
}

/** The shortest time-out of a proxy before the service: Compose's nginx, Ingress, HTTPRoute. */
const PROXY_TIMEOUT_MS = 120_000;
const OVERLAYS = ['development', 'production', 'production with workers'];

function objectsOf(name: string) {
  const [overlay = '', more] = name.split(' with ');
  return render(overlay, more === undefined ? '' : '\ncomponents: [../../components/worker]\n');
}

function inCompose(): Deployed[] {
  const { services } = readCompose();
  return (['api', 'worker'] as const).map((role) => {
    const { environment: env = {}, stop_grace_period = '' } = services[role]!;
    const graceSeconds = Number(/^(\d+)s$/.exec(stop_grace_period)?.[1]);
    return { where: `Compose, ${role}`, role, env, graceSeconds };
  });
}

function inOverlay(name: string): Deployed[] {
  const objects = objectsOf(name);
  return service(objects).map(({ role, pod, container }) => ({
    where: `overlay ${name}, ${role}`,
    role,
    env: environmentOf(container, objects),
    graceSeconds:
      pod.terminationGracePeriodSeconds - (container.lifecycle?.preStop.sleep.seconds ?? 0),
  }));
}

for (const { where, role, env, graceSeconds } of [...inCompose(), ...OVERLAYS.flatMap(inOverlay)]) {
  describe(`a process of the service (${where})`, () => {
    const config = loadConfig(env, role);

    it('gets only variables that exist', () => {
      const unknown = Object.keys(env).filter((name) => !VARIABLE_NAMES.includes(name));
      assert.deepEqual(unknown, []);
    });

    it('has time for its shutdown before it is killed, and for a request before the proxy ends it', () => {
      const needed = (config.shutdown.delayMs + config.shutdown.timeoutMs) / 1000;
      assert.ok(graceSeconds > needed, `${graceSeconds} s for ${needed} s`);
      if (role === 'api') assert.ok(config.REQUEST_TIMEOUT_MS < PROXY_TIMEOUT_MS);
    });
  });
}

describe('a Kubernetes pod', () => {
  it('is alive before it reaches Redis, and ready only after that', () => {
    for (const name of OVERLAYS) {
      for (const { role, container } of service(objectsOf(name))) {
        const [live, ready] =
          role === 'api'
            ? ['/api/v1/health/live', '/api/v1/health/ready']
            : ['/healthz', '/readyz'];
        const { startupProbe, livenessProbe, readinessProbe } = container;
        const paths = [startupProbe, livenessProbe, readinessProbe].map(
          ({ httpGet }) => httpGet.path,
        );
        assert.deepEqual(paths, [live, live, ready], `${name}, ${role}`);
      }
    }
  });
});
