import Router from '@koa/router';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { before, describe, it } from 'node:test';
import { parse } from 'yaml';
import { loadConfig } from '../../src/config/config.js';
import { VARIABLE_NAMES } from '../../src/config/variables.js';
import type { RequestState } from '../../src/http/context.js';
import { healthRoutes } from '../../src/http/routes/health.js';
import { serveMetrics } from '../../src/process/metrics-server.js';
import { createMetrics } from '../../src/process/metrics.js';
import { ask } from '../support/http-client.js';
import { render, type KubernetesObject } from './kubectl.js';
import { schemaFaults } from './kubernetes-schema.js';
import { environmentOf, named, ofKind, rights, selects, type Container } from './objects.js';

const OVERLAYS = ['overlays/development', 'overlays/production'];
let development: KubernetesObject[];
let production: KubernetesObject[];

before(() => {
  [development = [], production = []] = OVERLAYS.map((folder) => render(folder));
});

const ROLES = { 'weather-api': 'api', 'weather-worker': 'worker' } as const;

/** The two Deployments of the service itself, with their only container. */
function service(objects: KubernetesObject[]) {
  return Object.entries(ROLES).map(([name, role]) => {
    const deployment = named(objects, 'Deployment', name);
    const { spec } = deployment.spec.template;
    const [container] = spec.containers;
    assert.ok(container);
    assert.equal(spec.containers.length, 1);
    return { deployment, role, spec, container };
  });
}

const mebibytes = (quantity = '') => Number(/^(\d+)Mi$/.exec(quantity)?.[1]);

const portOf = (container: Container, name: string | number) =>
  container.ports.find((port) => port.name === name)?.containerPort;

describe('the Kubernetes schema', () => {
  it('holds for every object', () => {
    assert.deepEqual(schemaFaults([...development, ...production]), []);
  });

  it('is broken by an unknown field, a wrong type and a missing field', () => {
    const broken = (change: (spec: Record<string, unknown>) => void) => {
      const api = structuredClone(named(production, 'Deployment', 'weather-api'));
      change(api.spec);
      return schemaFaults([api]);
    };
    assert.match(broken((spec) => (spec['replica'] = 3)).join(), /"replica".*does not exist/);
    assert.match(broken((spec) => (spec['paused'] = 'no')).join(), /not assignable to.*boolean/);
    assert.match(broken((spec) => delete spec['selector']).join(), /'selector' is missing/);
  });

  it('leaves one object out: with KEDA a ScaledObject replaces the autoscaler of the workers', () => {
    const keda = render('overlays/production-keda');
    const known = keda.filter(({ kind }) => kind !== 'ScaledObject');
    assert.deepEqual(schemaFaults(known), []);
    const autoscalers = ofKind(known, 'HorizontalPodAutoscaler');
    assert.deepEqual(
      autoscalers.map(({ metadata }) => metadata.name),
      ['weather-api'],
    );
    const { spec, metadata } = named(keda, 'ScaledObject', 'weather-worker');
    assert.equal(spec.scaleTargetRef.name, 'weather-worker');
    const replaced = named(production, 'HorizontalPodAutoscaler', 'weather-worker');
    assert.equal(spec.maxReplicaCount, replaced.spec.maxReplicas);
    // Nobody else's queue: neither another team's, nor that of staging.
    const { query } = spec.triggers[0]?.metadata ?? {};
    assert.ok(query?.includes(`{job="weather",namespace="${metadata.namespace}"}`), query);
  });
});

for (const folder of OVERLAYS) {
  describe(folder, () => {
    let objects: KubernetesObject[];
    before(() => {
      objects = render(folder);
    });

    it('names only variables that the service knows, with values that it accepts', () => {
      for (const { role, container } of service(objects)) {
        const env = environmentOf(container, objects);
        assert.deepEqual(
          Object.keys(env).filter((name) => !VARIABLE_NAMES.includes(name)),
          [],
        );
        const config = loadConfig(env, role);
        assert.equal(config.metricsPort, portOf(container, 'metrics'));
        if (role === 'api') assert.equal(config.port, portOf(container, 'http'));
        assert.equal(config.runWorker, false);
      }
    });

    it('has no secret in it, only references', () => {
      assert.deepEqual(ofKind(objects, 'Secret'), []);
      for (const deployment of ofKind(objects, 'Deployment')) {
        for (const { env = [] } of deployment.spec.template.spec.containers) {
          for (const { name, value } of env) {
            if (/SECRET|PASSWORD|KEY|REDIS_URL/.test(name)) assert.equal(value, undefined, name);
          }
        }
      }
    });

    it('gives a pod the time that its end takes', () => {
      for (const { role, spec, container } of service(objects)) {
        const { shutdown } = loadConfig(environmentOf(container, objects), role);
        const pause = (container as Partial<Container>).lifecycle?.preStop.sleep.seconds ?? 0;
        const needed = pause + (shutdown.delayMs + shutdown.timeoutMs) / 1000;
        assert.ok(spec.terminationGracePeriodSeconds > needed, `${role}: ${needed} s`);
      }
    });

    it('replaces pods one by one, never with fewer than before', () => {
      for (const { deployment } of service(objects)) {
        assert.deepEqual(deployment.spec.strategy.rollingUpdate, {
          maxSurge: 1,
          maxUnavailable: 0,
        });
        assert.ok(deployment.spec.minReadySeconds >= 5);
      }
    });

    it('probes paths that exist, on ports that are open', async (t) => {
      const router = new Router<RequestState>();
      healthRoutes(router, { readiness: () => Promise.resolve({ ready: true, checks: {} }) });
      let isReady = true;
      const health = { isWell: () => true, isReady: () => Promise.resolve(isReady) };
      const metrics = await serveMetrics(createMetrics(), { host: '127.0.0.1', port: 0 }, health);
      t.after(() => metrics.close());
      await (metrics.listening || once(metrics, 'listening'));
      const { port } = metrics.address() as AddressInfo;
      for (const { role, container } of service(objects)) {
        const { startupProbe, livenessProbe, readinessProbe }: Partial<Container> = container;
        assert.ok(startupProbe);
        assert.ok(livenessProbe);
        assert.ok(readinessProbe, `${role} counts as rolled out too early`);
        for (const { httpGet } of [startupProbe, livenessProbe, readinessProbe]) {
          const { path, port: name } = httpGet;
          assert.ok(portOf(container, name), role);
          if (name === 'http') assert.ok(router.match(path, 'GET').route, path);
          else assert.equal((await ask(`http://127.0.0.1:${port}${path}`)).status, 200, path);
        }
        // A pod that has not reached Redis lives, and a rollout waits for it.
        isReady = false;
        for (const [probe, status] of [
          [livenessProbe, 200],
          [readinessProbe, 503],
        ] as const) {
          const { path, port: name } = probe.httpGet;
          if (name === 'http') assert.match(path, status === 503 ? /\/ready$/ : /\/live$/);
          else assert.equal((await ask(`http://127.0.0.1:${port}${path}`)).status, status, role);
        }
        isReady = true;
      }
    });

    it('keeps every pod to the restricted level, and read-only', () => {
      for (const deployment of ofKind(objects, 'Deployment')) {
        const { spec } = deployment.spec.template;
        assert.equal(spec.securityContext.runAsNonRoot, true);
        assert.equal(spec.securityContext.seccompProfile.type, 'RuntimeDefault');
        assert.ok(spec.securityContext.runAsUser > 0);
        assert.equal(spec.automountServiceAccountToken, false);
        assert.equal(spec.enableServiceLinks, false);
        const { hostNetwork, hostPID, hostIPC, volumes = [] } = spec as Partial<typeof spec>;
        assert.equal(hostNetwork ?? hostPID ?? hostIPC, undefined);
        for (const volume of volumes) assert.ok('emptyDir' in volume);
        for (const { securityContext, resources } of spec.containers) {
          assert.deepEqual(securityContext, {
            allowPrivilegeEscalation: false,
            capabilities: { drop: ['ALL'] },
            readOnlyRootFilesystem: true,
          });
          assert.deepEqual(Object.keys(resources.requests), ['cpu', 'memory']);
          assert.deepEqual(Object.keys(resources.limits), ['memory']);
        }
      }
      const [namespace] = ofKind(objects, 'Namespace');
      const { labels = {} } = namespace?.metadata ?? {};
      for (const mode of ['enforce', 'warn', 'audit']) {
        assert.equal(labels[`pod-security.kubernetes.io/${mode}`], 'restricted');
      }
    });

    it('asks for the memory that a process was measured to take, and allows more', () => {
      const measuredMiB = { api: 250, worker: 92 };
      for (const { role, container } of service(objects)) {
        const { requests, limits } = container.resources;
        const [asked, allowed] = [mebibytes(requests['memory']), mebibytes(limits['memory'])];
        const needed = measuredMiB[role];
        assert.ok(asked > needed && asked < 1.5 * needed, `${role}: ${asked} MiB`);
        assert.ok(allowed >= 1.75 * asked, `${role}: ${allowed} MiB`);
      }
    });

    it('spreads pods over zones and machines', () => {
      for (const { spec, deployment } of service(objects)) {
        const { labels } = deployment.spec.template.metadata;
        const constraints = spec.topologySpreadConstraints;
        assert.deepEqual(
          constraints.map(({ topologyKey }) => topologyKey),
          ['topology.kubernetes.io/zone', 'kubernetes.io/hostname'],
        );
        for (const { labelSelector } of constraints) {
          assert.ok(selects(labelSelector.matchLabels, labels));
        }
      }
    });

    it('puts everything into one namespace', () => {
      const [namespace] = ofKind(objects, 'Namespace');
      for (const { kind, metadata } of objects) {
        if (kind !== 'Namespace') assert.equal(metadata.namespace, namespace?.metadata.name, kind);
      }
    });

    it('leads from the ingress over the Service to the API, for 120 s', () => {
      const { spec, metadata } = named(objects, 'Ingress', 'weather');
      const backend = spec.rules[0]?.http.paths[0]?.backend.service;
      assert.deepEqual(backend, { name: 'weather-api', port: { name: 'http' } });
      assert.equal(metadata.annotations['nginx.ingress.kubernetes.io/proxy-read-timeout'], '120');
      assert.equal(metadata.annotations['nginx.org/proxy-read-timeout'], '120s');
      const { spec: found } = named(objects, 'Service', 'weather-api');
      assert.deepEqual(found.ports, [{ name: 'http', port: 80, targetPort: 'http' }]);
      for (const { deployment, role } of service(objects)) {
        const { labels } = deployment.spec.template.metadata;
        assert.equal(selects(found.selector, labels), role === 'api');
      }
    });
  });
}

const SERVICE = 'weather-lookup-service';
const TO_PROVIDERS = [
  // Not to the cluster, nor to a cloud's metadata address.
  `${SERVICE} > 0.0.0.0/0 but 10.0.0.0/8 100.64.0.0/10 169.254.0.0/16 172.16.0.0/12 192.168.0.0/16 : 443`,
  `${SERVICE} > ::/0 but fc00::/7 fe80::/10 : 443`,
  `${SERVICE} > 169.254.20.10/32 : 53`,
  `${SERVICE} > 169.254.20.10/32 : 53`,
  `${SERVICE} > kube-system kube-dns : 53`,
  `${SERVICE} > kube-system kube-dns : 53`,
];
const INTO_SERVICE = [`${SERVICE} < monitoring : metrics`, `api/${SERVICE} < ingress-nginx : http`];

describe('the network policies', () => {
  const policies = (objects: KubernetesObject[]) => ofKind(objects, 'NetworkPolicy');

  it('deny what is not allowed, in both directions, to every pod', () => {
    for (const objects of [development, production]) {
      const { spec } = named(objects, 'NetworkPolicy', 'deny-all');
      assert.deepEqual(spec, { podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
    }
  });

  it('of production allow the ways in, to the providers and to the Redis outside', () => {
    const toRedis = [`${SERVICE} > 10.0.0.0/8 : 6379`, `${SERVICE} > 10.0.0.0/8 : 6380`];
    const expected = [...INTO_SERVICE, ...TO_PROVIDERS, ...toRedis];
    assert.deepEqual(rights(policies(production)), expected.sort());
  });

  it('of development let only the pods of the service reach Redis', () => {
    const toRedis = [`${SERVICE} > redis : redis`, `redis < ${SERVICE} : redis`];
    const expected = [...INTO_SERVICE, ...TO_PROVIDERS, ...toRedis];
    assert.deepEqual(rights(policies(development)), expected.sort());
  });
});

describe("the adapter's rule", () => {
  it("asks for the queue of the autoscaler's own namespace", () => {
    const file = new URL('../../k8s/observability/prometheus-adapter.yaml', import.meta.url);
    const { rules } = parse(readFileSync(file, 'utf8')) as {
      rules: { external: { seriesQuery: string; resources: object; metricsQuery: string }[] };
    };
    const [rule] = rules.external;
    assert.match(rule?.seriesQuery ?? '', /^weather_queue_oldest_job_age_seconds\{job="weather",/);
    assert.deepEqual(rule?.resources, { overrides: { namespace: { resource: 'namespace' } } });
    assert.equal(rule.metricsQuery, 'max(<<.Series>>{job="weather",<<.LabelMatchers>>})');
  });
});

describe('in production', () => {
  it('the API scales by CPU and the workers by the age of the queue, between bounds', () => {
    const [api, worker] = ['weather-api', 'weather-worker'].map((name) => {
      const { spec } = named(production, 'HorizontalPodAutoscaler', name);
      assert.deepEqual(spec.scaleTargetRef, { apiVersion: 'apps/v1', kind: 'Deployment', name });
      // The autoscaler owns this number.
      assert.equal(named(production, 'Deployment', name).spec.replicas, undefined);
      return spec;
    });
    assert.ok(api && worker);
    assert.ok(api.minReplicas >= 3 && worker.minReplicas >= 2);
    assert.deepEqual(api.metrics, [
      {
        type: 'Resource',
        resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } },
      },
    ]);
    assert.deepEqual(worker.metrics, [
      {
        type: 'External',
        external: {
          metric: { name: 'weather_queue_oldest_job_age_seconds' },
          target: { type: 'Value', value: '1' },
        },
      },
    ]);
  });

  it('the limits hold with as many replicas as may run while Redis is away', () => {
    const [api] = service(production);
    assert.ok(api);
    const { rateLimits } = loadConfig(environmentOf(api.container, production), 'api');
    const scaler = named(production, 'HorizontalPodAutoscaler', 'weather-api');
    assert.equal(rateLimits.replicasHint, scaler.spec.maxReplicas);
  });

  it('all clients together have more than the few requests of a trial', () => {
    const [api] = service(production);
    assert.ok(api);
    const { RATE_LIMIT_TOTAL } = environmentOf(api.container, production);
    assert.ok(Number(RATE_LIMIT_TOTAL) >= 3600);
  });

  it('not every pod leaves the Service at once when Redis does', () => {
    const [api] = service(production);
    assert.ok(api);
    const config = loadConfig(environmentOf(api.container, production), 'api');
    assert.equal(config.readinessRequiresRedis, false);
  });

  it('the service gives up before the ingress does', () => {
    const [api] = service(production);
    assert.ok(api);
    const config = loadConfig(environmentOf(api.container, production), 'api');
    assert.ok(config.requestTimeoutMs < 120_000);
  });

  it('one pod of a kind at most is taken away on purpose', () => {
    for (const { deployment } of service(production)) {
      const { spec } = named(production, 'PodDisruptionBudget', deployment.metadata.name);
      assert.equal(spec.maxUnavailable, 1);
      const { labels } = deployment.spec.template.metadata;
      assert.deepEqual(spec.selector.matchLabels, deployment.spec.selector.matchLabels);
      assert.ok(selects(spec.selector.matchLabels, labels));
    }
  });

  it('the ingress speaks TLS for its host', () => {
    const { spec } = named(production, 'Ingress', 'weather');
    assert.deepEqual(
      spec.tls.flatMap(({ hosts }) => hosts),
      spec.rules.map(({ host }) => host),
    );
  });
});
