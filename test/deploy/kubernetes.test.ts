import { HTTPRoute } from '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1/HTTPRoute';
import { PodMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PodMonitor';
import { PrometheusRule } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PrometheusRule';
import { AlertmanagerConfig } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1alpha1/AlertmanagerConfig';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { SERVICE_VERSION } from '../../src/base/version.js';
import { loadConfig } from '../../src/config/config.js';
import { PROVIDERS } from '../../src/config/providers.js';
import { callWindows } from '../../src/config/rules.js';
import { VARIABLE_NAMES } from '../../src/config/variables.js';
import { blocksOf, codeIn, sectionOf } from '../support/markdown.js';
import { ROOT } from './compose-file.js';
import { render } from './kubectl.js';
import { environmentOf, named, secretKeysOf, service } from './kubernetes-objects.js';

const handbook = readFileSync(join(ROOT, 'docs/operations/deploy.md'), 'utf8');
const production = render('production');

for (const name of ['development', 'production']) {
  const objects = render(name);
  describe(`the overlay ${name}`, () => {
    it('runs every container at the restricted level, on a read-only file system', () => {
      const namespace = objects.find(({ kind }) => kind === 'Namespace');
      const level = namespace?.metadata.labels?.['pod-security.kubernetes.io/enforce'];
      assert.equal(level, 'restricted');
      for (const { container } of service(objects)) {
        assert.deepEqual(container.securityContext, {
          allowPrivilegeEscalation: false,
          capabilities: { drop: ['ALL'] },
          readOnlyRootFilesystem: true,
        });
      }
    });

    it('has memory beside the maximum heap: a full heap is collected before the pod is killed', () => {
      const mebibytes = (quantity = '') => Number(/^(\d+)Mi$/.exec(quantity)?.[1]);
      for (const { role, container } of service(objects)) {
        const heap = Number(/--max-old-space-size=(\d+)/.exec(container.args.join())?.[1]);
        const { requests, limits } = container.resources;
        const requested = mebibytes(requests['memory']);
        const allowed = mebibytes(limits['memory']);
        assert.ok(requested >= heap, `${role}: ${heap} of ${requested} MiB`);
        assert.ok(allowed >= heap + 128, `${role}: ${heap} of ${allowed} MiB`);
      }
    });
  });
}

describe('production', () => {
  const [api = assert.fail(), ...others] = service(production);
  const config = loadConfig(environmentOf(api.container, production), 'api');

  it('runs the image that was built from the checkout, in the version of the checkout', () => {
    assert.equal(api.container.image, `weather-lookup-service:${SERVICE_VERSION}`);
  });

  it('runs the image of a registry and a digest if the lines for it are no comments', () => {
    const text = readFileSync(join(ROOT, 'k8s/overlays/production/kustomization.yaml'), 'utf8');
    const lines = /^# images:\n(?:# {2}.*\n)+/m.exec(text)?.[0].replace(/^# /gm, '') ?? '';
    const digest = `sha256:${'5'.repeat(64)}`;
    const pinned = service(render('production', `\n${lines.replace(/sha256:0+/, digest)}`));
    for (const { container } of pinned) {
      assert.equal(container.image, `registry.example.com/weather-lookup-service@${digest}`);
    }
  });

  it('runs one kind of pod, which takes fetch jobs and listens on IPv4 and IPv6', () => {
    assert.deepEqual(others, []);
    assert.deepEqual([config.RUN_WORKER, config.HOST], [true, '::']);
  });

  it('has REPLICAS_HINT for the maximum number of replicas, and leaves the number to the autoscaler', () => {
    const scaler = named(production, 'HorizontalPodAutoscaler', 'weather-api').spec;
    assert.equal(config.REPLICAS_HINT, scaler.maxReplicas);
    assert.equal(api.replicas, undefined);
  });

  it('reads every secret variable from the Secret, and requires two', () => {
    // REDIS_TLS_KEY and the names with _FILE are paths of files.
    const secrets = VARIABLE_NAMES.filter(
      (name) => /(PASSWORD|KEY|^REDIS_URL)$/.test(name) && name !== 'REDIS_TLS_KEY',
    );
    const required = ['SESSION_SECRET_KEY', 'REDIS_URL'];
    const keys = secretKeysOf(api.container);
    assert.deepEqual(keys.map(({ key }) => key).sort(), [...secrets].sort());
    const optional = keys.filter((each) => each.optional).map(({ key }) => key);
    assert.deepEqual(optional.sort(), secrets.filter((name) => !required.includes(name)).sort());
    const [, listed = ''] = /\*\*The Secret\.\*\* It may also have ([^.]*)\./.exec(handbook) ?? [];
    // The handbook links to the API keys of providers, which the table of providers lists.
    const others = optional.filter((name) => !name.endsWith('_API_KEY'));
    assert.deepEqual(codeIn(listed).sort(), others);
    assert.ok(others.length < optional.length);
  });
});

describe('the limits of production', () => {
  const [api = assert.fail()] = service(production);
  const config = loadConfig(environmentOf(api.container, production), 'api');

  it("make a day's calls last for the day: no hour has more than its share", () => {
    const windows = (name: string) => config.PROVIDER_BUDGETS?.get(name as 'open-meteo') ?? [];
    const callsIn = (seconds: number, name = 'open-meteo') =>
      windows(name).find(({ windowSeconds }) => windowSeconds === seconds)?.limit ?? 0;
    assert.ok(callsIn(3600) > 0 && 24 * callsIn(3600) <= callsIn(86_400));
    assert.ok(24 * config.RATE_LIMIT_FETCHES_PER_IP <= callsIn(86_400));
    assert.ok(callsIn(3600, 'met-norway') > 0);
    for (const [name, { budget }] of PROVIDERS.filter(([, row]) => row.budget !== undefined)) {
      const [first] = callWindows(budget ?? '');
      assert.deepEqual(windows(name)[0], first, name);
    }
  });
});

describe('the network policies', () => {
  it('select only pods of this deployment, so that others in the namespace keep their traffic', () => {
    for (const name of ['development', 'production']) {
      const policies = render(name).filter(({ kind }) => kind === 'NetworkPolicy');
      assert.ok(policies.length >= 5);
      for (const policy of policies) {
        const { podSelector } = (policy as unknown as { spec: { podSelector: object } }).spec;
        assert.match(JSON.stringify(podSelector), /"app.kubernetes.io\/name":"(weather|redis)/);
      }
    }
  });
});

describe('the components', () => {
  // The example for production with the components that the handbook lists.
  const [listed = ''] = blocksOf(sectionOf(handbook, '### An overlay of your own'), 'yaml');
  const complete = render('production', listed);

  it('have only valid objects of other projects', () => {
    const schemas = { AlertmanagerConfig, HTTPRoute, PodMonitor, PrometheusRule };
    for (const [kind, Schema] of Object.entries(schemas)) {
      const found = complete.filter((object) => object.kind === kind);
      assert.ok(found.length > 0, kind);
      for (const object of found) new Schema(object as never).validate();
    }
  });

  it('run workers with the image and the secrets of the API, which then takes no jobs', () => {
    const [api, worker] = service(complete);
    assert.equal(worker?.container.image, api?.container.image);
    const keys = (found = api) => secretKeysOf(found!.container).map(({ key }) => key);
    // Workers sign no cookies.
    assert.deepEqual(
      keys(worker),
      keys(api).filter((key) => key !== 'SESSION_SECRET_KEY'),
    );
    assert.equal(environmentOf(api!.container, complete)['RUN_WORKER'], 'false');
    for (const { container } of [api!, worker!]) {
      assert.ok(container.env?.some(({ name }) => name === 'REDIS_TLS_CA'));
    }
    const mounted = [api!, worker!].map(({ container }) =>
      container.volumeMounts?.map(({ mountPath }) => mountPath).sort(),
    );
    assert.deepEqual(mounted, [['/etc/redis-ca', '/etc/weather-clients'], ['/etc/redis-ca']]);
    assert.match(
      environmentOf(api!.container, complete)['CLIENTS_FILE'] ?? '',
      /^\/etc\/weather-clients\//,
    );
  });

  it('scrape a port that each pod has', () => {
    const [{ port }] = named(complete, 'PodMonitor', 'weather').spec.podMetricsEndpoints;
    for (const { container } of service(complete)) {
      assert.ok(container.ports.some(({ name }) => name === port));
    }
  });
});
