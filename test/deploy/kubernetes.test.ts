import { HTTPRoute } from '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1/HTTPRoute';
import { ScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1/ScaledObject';
import { PodMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PodMonitor';
import { PrometheusRule } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PrometheusRule';
import { AlertmanagerConfig } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1alpha1/AlertmanagerConfig';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { loadConfig } from '../../src/config/config.js';
import { render, type KubernetesObject } from './kubectl.js';
import { schemaFaults } from './kubernetes-schema.js';
import { environmentOf, named, ofKind, rights, selects, service, type Probe } from './objects.js';

const development = render('overlays/development');
const production = render('overlays/production');
const gateway = render('overlays/production-gateway');
const keda = render('overlays/production-keda');
const OVERLAYS = { development, production, gateway, keda };

/** The schemas of objects that are not Kubernetes' own, as their projects publish them. */
const SCHEMAS = { AlertmanagerConfig, HTTPRoute, PodMonitor, PrometheusRule, ScaledObject };
const isForeign = ({ kind }: KubernetesObject) => kind in SCHEMAS;

/** How long a probe may go unanswered, in seconds. */
const silenceOf = ({ periodSeconds, failureThreshold }: Probe) => periodSeconds * failureThreshold;

const mebibytes = (quantity = '') => Number(/^(\d+)Mi$/.exec(quantity)?.[1]);

describe('the schema of each kind of object', () => {
  const all = Object.values(OVERLAYS).flat();

  it('holds for every object', () => {
    assert.deepEqual(schemaFaults(all.filter((object) => !isForeign(object))), []);
    const foreign = all.filter(isForeign);
    const kinds = new Set(foreign.map(({ kind }) => kind));
    assert.deepEqual([...kinds].sort(), Object.keys(SCHEMAS));
    for (const object of foreign) {
      new SCHEMAS[object.kind as keyof typeof SCHEMAS](object as never).validate();
    }
  });

  it('is broken by an unknown field, a wrong type and a missing field', () => {
    const broken = (change: (spec: Record<string, unknown>) => void) => {
      const api = structuredClone(named(production, 'Deployment', 'weather-api'));
      change(api.spec);
      return api as unknown as KubernetesObject;
    };
    const faults = schemaFaults([
      broken((spec) => (spec['replica'] = 3)),
      broken((spec) => (spec['paused'] = 'no')),
      broken((spec) => delete spec['selector']),
    ]).join('\n');
    assert.match(faults, /"replica".*does not exist/);
    assert.match(faults, /not assignable to.*boolean/);
    assert.match(faults, /'selector' is missing/);
    const route = structuredClone(gateway.find(({ kind }) => kind === 'HTTPRoute'));
    assert.throws(() => {
      new HTTPRoute({ ...route, spec: { hostnames: 'one' } } as never).validate();
    });
  });
});

for (const [overlay, objects] of Object.entries(OVERLAYS)) {
  describe(`the overlay ${overlay}`, () => {
    it('has no secret in it, only references', () => {
      assert.deepEqual(ofKind(objects, 'Secret'), []);
      for (const { container } of service(objects)) {
        for (const { name, value } of container.env) {
          if (/SECRET|PASSWORD|KEY|REDIS_URL/.test(name)) assert.equal(value, undefined, name);
        }
      }
    });

    it('replaces pods one by one, never with fewer than before', () => {
      for (const { deployment } of service(objects)) {
        const { strategy, minReadySeconds } = deployment.spec;
        assert.deepEqual(strategy.rollingUpdate, { maxSurge: 1, maxUnavailable: 0 });
        assert.ok(minReadySeconds >= 5);
      }
    });

    it('says after two minutes that a rollout has failed, and not while a pod may still start', () => {
      for (const { deployment, container } of service(objects)) {
        const { progressDeadlineSeconds, minReadySeconds } = deployment.spec;
        assert.equal(progressDeadlineSeconds, 120);
        assert.ok(silenceOf(container.startupProbe) + minReadySeconds < 120);
      }
    });

    it('sends no requests to a pod that hangs for 5 s, and ends it only after a minute', () => {
      for (const { container } of service(objects)) {
        assert.ok(silenceOf(container.readinessProbe) <= 5);
        assert.equal(silenceOf(container.livenessProbe), 60);
        // A probe that waits for the processor is answered late, but answered.
        assert.equal(container.livenessProbe.timeoutSeconds, 10);
      }
    });

    it('asks a new pod nothing while Node.js starts', () => {
      for (const { container } of service(objects)) {
        assert.equal(container.startupProbe.initialDelaySeconds, 1);
      }
    });

    it('keeps every pod to the restricted level, which its namespace demands', () => {
      for (const { spec } of ofKind(objects, 'Deployment')) {
        const pod = spec.template.spec;
        assert.equal(pod.securityContext.runAsNonRoot, true);
        assert.equal(pod.securityContext.seccompProfile.type, 'RuntimeDefault');
        assert.ok(pod.securityContext.runAsUser > 0);
        assert.equal(pod.automountServiceAccountToken, false);
        for (const { securityContext, resources } of pod.containers) {
          assert.deepEqual(securityContext, {
            allowPrivilegeEscalation: false,
            capabilities: { drop: ['ALL'] },
            readOnlyRootFilesystem: true,
          });
          assert.deepEqual(Object.keys(resources.limits), ['memory']);
        }
      }
      const { labels = {} } = ofKind(objects, 'Namespace')[0]?.metadata ?? {};
      assert.equal(labels['pod-security.kubernetes.io/enforce'], 'restricted');
    });

    it('gives a pod room beside its heap: a full heap is collected, the pod is not killed', () => {
      for (const { role, container } of service(objects)) {
        const heap = Number(/--max-old-space-size=(\d+)/.exec(container.args.join())?.[1]);
        const { requests, limits } = container.resources;
        const [asked, allowed] = [mebibytes(requests['memory']), mebibytes(limits['memory'])];
        assert.ok(asked >= heap && allowed >= heap + 128, `${role}: ${heap} of ${allowed} MiB`);
      }
    });

    it('spreads pods over zones and machines', () => {
      for (const { spec, labels } of service(objects)) {
        const spread = spec.topologySpreadConstraints;
        assert.deepEqual(
          spread.map(({ topologyKey }) => topologyKey),
          ['topology.kubernetes.io/zone', 'kubernetes.io/hostname'],
        );
        for (const { labelSelector } of spread) {
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

    it('leads from the way in over the Service to the API, for 120 s', () => {
      const { spec: found } = named(objects, 'Service', 'weather-api');
      assert.deepEqual(found.ports, [{ name: 'http', port: 80, targetPort: 'http' }]);
      for (const { labels, role } of service(objects)) {
        assert.equal(selects(found.selector, labels), role === 'api');
      }
      if (overlay === 'gateway') {
        assert.deepEqual(ofKind(objects, 'Ingress'), []);
        const [rule] = named(objects, 'HTTPRoute', 'weather').spec.rules;
        assert.deepEqual(rule?.timeouts, { request: '120s', backendRequest: '120s' });
        assert.deepEqual(rule.backendRefs, [{ name: 'weather-api', port: 80 }]);
      } else {
        const { spec, metadata } = named(objects, 'Ingress', 'weather');
        const backend = spec.rules[0]?.http.paths[0]?.backend.service;
        assert.deepEqual(backend, { name: 'weather-api', port: { name: 'http' } });
        assert.equal(metadata.annotations['nginx.ingress.kubernetes.io/proxy-read-timeout'], '120');
        assert.equal(metadata.annotations['nginx.org/proxy-read-timeout'], '120s');
        // What the proxy of Compose has too, for both controllers; one of them takes whole seconds only.
        for (const prefix of ['nginx.ingress.kubernetes.io', 'nginx.org']) {
          const at = (name: string) => parseInt(metadata.annotations[`${prefix}/${name}`] ?? '');
          const retried = metadata.annotations[`${prefix}/proxy-next-upstream`];
          assert.equal(retried, 'error timeout non_idempotent');
          assert.equal(at('proxy-next-upstream-tries'), 2);
          assert.equal(at('proxy-next-upstream-timeout'), 30);
        }
        assert.equal(metadata.annotations['nginx.org/proxy-connect-timeout'], '500ms');
        assert.equal(
          metadata.annotations['nginx.ingress.kubernetes.io/proxy-connect-timeout'],
          '1',
        );
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
const TO_REDIS_OUTSIDE = [`${SERVICE} > 10.0.0.0/8 : 6379`, `${SERVICE} > 10.0.0.0/8 : 6380`];
const TO_REDIS_INSIDE = [`${SERVICE} > redis : redis`, `redis < ${SERVICE} : redis`];
const WAYS: [overlay: keyof typeof OVERLAYS, from: string, toRedis: string[]][] = [
  ['development', 'ingress-nginx', TO_REDIS_INSIDE],
  ['production', 'ingress-nginx', TO_REDIS_OUTSIDE],
  ['gateway', 'gateway', TO_REDIS_OUTSIDE],
];

describe('the network policies', () => {
  for (const [overlay, from, toRedis] of WAYS) {
    it(`of ${overlay} deny all but the ways from ${from} and to the providers and Redis`, () => {
      const { spec } = named(OVERLAYS[overlay], 'NetworkPolicy', 'deny-all');
      assert.deepEqual(spec, { podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
      const into = [`${SERVICE} < monitoring : metrics`, `api/${SERVICE} < ${from} : http`];
      const allowed = rights(ofKind(OVERLAYS[overlay], 'NetworkPolicy'));
      assert.deepEqual(allowed, [...into, ...TO_PROVIDERS, ...toRedis].sort());
    });
  }
});

describe('the autoscalers of production', () => {
  const AGE = 'weather_queue_oldest_job_age_seconds';
  const api = named(production, 'HorizontalPodAutoscaler', 'weather-api').spec;
  const worker = named(production, 'HorizontalPodAutoscaler', 'weather-worker').spec;

  it('own the number of pods: of the API by CPU, of workers by the age of the queue', () => {
    for (const { deployment } of service(production)) {
      const { name } = deployment.metadata;
      const { scaleTargetRef } = named(production, 'HorizontalPodAutoscaler', name).spec;
      assert.deepEqual(scaleTargetRef, { apiVersion: 'apps/v1', kind: 'Deployment', name });
      assert.equal(deployment.spec.replicas, undefined);
    }
    assert.ok(api.minReplicas >= 3 && worker.minReplicas >= 2);
    assert.equal(api.metrics[0]?.resource.name, 'cpu');
    const [{ external } = assert.fail()] = worker.metrics;
    assert.deepEqual(external, { metric: { name: AGE }, target: { type: 'Value', value: '1' } });
  });

  it('get the age of the queue in their own namespace from prometheus-adapter', () => {
    const file = new URL('../../k8s/observability/prometheus-adapter.yaml', import.meta.url);
    const { rules } = parse(readFileSync(file, 'utf8')) as {
      rules: { external: { seriesQuery: string; resources: object; metricsQuery: string }[] };
    };
    const [rule] = rules.external;
    assert.match(rule?.seriesQuery ?? '', new RegExp(`^${AGE}{job="weather",`));
    assert.deepEqual(rule?.resources, { overrides: { namespace: { resource: 'namespace' } } });
    assert.equal(rule.metricsQuery, 'max(<<.Series>>{job="weather",<<.LabelMatchers>>})');
  });

  it('leave the workers to KEDA with the same bound, and the queue of the same namespace', () => {
    const left = ofKind(keda, 'HorizontalPodAutoscaler').map(({ metadata }) => metadata.name);
    assert.deepEqual(left, ['weather-api']);
    const { spec, metadata } = named(keda, 'ScaledObject', 'weather-worker');
    assert.equal(spec.scaleTargetRef.name, 'weather-worker');
    assert.equal(spec.maxReplicaCount, worker.maxReplicas);
    const { query } = spec.triggers[0]?.metadata ?? {};
    assert.ok(query?.includes(`${AGE}{job="weather",namespace="${metadata.namespace}"}`), query);
  });
});

describe('in production', () => {
  const [api = assert.fail()] = service(production);
  const env = environmentOf(api.container, production);
  const config = loadConfig(env, 'api');

  it('the limits hold with as many replicas as may run while Redis is unavailable', () => {
    const { maxReplicas } = named(production, 'HorizontalPodAutoscaler', 'weather-api').spec;
    assert.equal(config.rateLimits.replicasHint, maxReplicas);
  });

  it('all clients together have more than the few requests of a trial', () => {
    assert.ok(Number(env['RATE_LIMIT_TOTAL']) >= 3600);
  });

  it('not every pod leaves the Service at once when Redis does', () => {
    assert.equal(config.readinessRequiresRedis, false);
  });

  it('one pod of a kind at most is taken away on purpose', () => {
    for (const { deployment, labels } of service(production)) {
      const { spec } = named(production, 'PodDisruptionBudget', deployment.metadata.name);
      assert.equal(spec.maxUnavailable, 1);
      assert.ok(selects(spec.selector.matchLabels, labels));
    }
  });

  it('the ingress speaks TLS for its host', () => {
    const { spec } = named(production, 'Ingress', 'weather');
    assert.deepEqual(spec.tls[0]?.hosts, [spec.rules[0]?.host]);
  });

  it('the Prometheus Operator scrapes a port of each pod, with the labels of the alerts', () => {
    const [endpoint] = named(gateway, 'PodMonitor', 'weather').spec.podMetricsEndpoints;
    const set = endpoint?.relabelings.map(({ targetLabel }) => targetLabel);
    assert.deepEqual(set, ['job', 'component', 'instance']);
    for (const { container } of service(gateway)) {
      assert.ok(container.ports.some(({ name }) => name === endpoint?.port));
    }
  });
});
