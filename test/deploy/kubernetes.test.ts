import { HTTPRoute } from '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1/HTTPRoute';
import { PodMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PodMonitor';
import { PrometheusRule } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PrometheusRule';
import { AlertmanagerConfig } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1alpha1/AlertmanagerConfig';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadConfig } from '../../src/config/config.js';
import { SERVICE_VERSION } from '../../src/process/version.js';
import { renderHandbookOverlay } from './handbook-overlay.js';
import { render, type KubernetesObject } from './kubectl.js';
import { environmentOf, named, ofKind, service } from './kubernetes-objects.js';
import { schemaFaults } from './kubernetes-schema.js';

const development = render('overlays/development');
const production = render('overlays/production');
/** Production with every component. */
const complete = renderHandbookOverlay();
const OVERLAYS = { development, production, complete };

/** The schemas of objects that Kubernetes itself does not define, as their projects publish them. */
const SCHEMAS = { AlertmanagerConfig, HTTPRoute, PodMonitor, PrometheusRule };
const isForeign = ({ kind }: KubernetesObject) => kind in SCHEMAS;

/** `kubectl apply` stores an object in one of its own annotations, which has this maximum size. */
const MAX_APPLIED_BYTES = 262_144;

const mebibytes = (quantity = '') => Number(/^(\d+)Mi$/.exec(quantity)?.[1]);

describe('the schema of each kind of object', () => {
  it('accepts every object', () => {
    const all = Object.values(OVERLAYS).flat();
    assert.deepEqual(schemaFaults(all.filter((object) => !isForeign(object))), []);
    const foreign = all.filter(isForeign);
    const kinds = new Set(foreign.map(({ kind }) => kind));
    assert.deepEqual([...kinds].sort(), Object.keys(SCHEMAS));
    for (const object of foreign) {
      new SCHEMAS[object.kind as keyof typeof SCHEMAS](object as never).validate();
    }
  });
});

for (const [overlay, objects] of Object.entries(OVERLAYS)) {
  describe(`the overlay ${overlay}`, () => {
    it('contains no Secret, and is in one namespace', () => {
      assert.deepEqual(ofKind(objects, 'Secret'), []);
      const [namespace] = ofKind(objects, 'Namespace');
      for (const { kind, metadata } of objects) {
        if (kind !== 'Namespace') assert.equal(metadata.namespace, namespace?.metadata.name, kind);
      }
    });

    it('runs every pod at the restricted level, which its namespace enforces', () => {
      const { labels = {} } = ofKind(objects, 'Namespace')[0]?.metadata ?? {};
      assert.equal(labels['pod-security.kubernetes.io/enforce'], 'restricted');
      for (const { spec } of ofKind(objects, 'Deployment')) {
        const pod = spec.template.spec;
        assert.equal(pod.securityContext.runAsNonRoot, true);
        assert.equal(pod.securityContext.seccompProfile.type, 'RuntimeDefault');
        assert.equal(pod.automountServiceAccountToken, false);
        for (const { securityContext, resources } of pod.containers) {
          assert.deepEqual(securityContext, {
            allowPrivilegeEscalation: false,
            capabilities: { drop: ['ALL'] },
            readOnlyRootFilesystem: true,
          });
          assert.deepEqual(Object.keys(resources.limits).sort(), ['ephemeral-storage', 'memory']);
          assert.ok(resources.requests['ephemeral-storage']);
        }
      }
    });

    it('has memory beside the maximum heap: a full heap is collected before the pod is killed', () => {
      for (const { role, container } of service(objects)) {
        const heap = Number(/--max-old-space-size=(\d+)/.exec(container.args.join())?.[1]);
        const { requests, limits } = container.resources;
        const requested = mebibytes(requests['memory']);
        const allowed = mebibytes(limits['memory']);
        assert.ok(requested >= heap, `${role}: ${heap} of ${requested} MiB`);
        assert.ok(allowed >= heap + 128, `${role}: ${heap} of ${allowed} MiB`);
      }
    });

    it('runs an image of the current version', () => {
      const published = 'ghcr.io/weather-lookup-service/weather-lookup-service';
      const name = overlay === 'development' ? 'weather-lookup-service' : published;
      for (const { container } of service(objects)) {
        assert.equal(container.image, `${name}:${SERVICE_VERSION}`);
      }
    });
  });
}

describe('production', () => {
  const [api = assert.fail(), worker = assert.fail()] = service(production);
  const config = loadConfig(environmentOf(api.container, production), 'api');
  const scaler = named(production, 'HorizontalPodAutoscaler', 'weather-api').spec;

  it('scales the API only, and has REPLICAS_HINT for the maximum number of replicas', () => {
    assert.equal(ofKind(production, 'HorizontalPodAutoscaler').length, 1);
    assert.equal(scaler.scaleTargetRef.name, 'weather-api');
    assert.equal(api.deployment.spec.replicas, undefined);
    assert.equal(config.rateLimits.replicasHint, scaler.maxReplicas);
  });

  it('runs two workers, and lets one pod of each kind be evicted at a time', () => {
    assert.equal(worker.deployment.spec.replicas, 2);
    for (const { deployment } of [api, worker]) {
      const { spec } = named(production, 'PodDisruptionBudget', deployment.metadata.name);
      assert.equal(spec.maxUnavailable, 1);
      assert.deepEqual(spec.selector.matchLabels, deployment.spec.selector.matchLabels);
    }
  });

  it('keeps pods in the Service while Redis is unavailable', () => {
    assert.equal(config.readinessRequiresRedis, false);
  });

  it('reaches no Redis until an operator has replaced the reserved address', () => {
    const { spec } = named(production, 'NetworkPolicy', 'service-reaches-redis');
    const blocks = spec.egress.flatMap(({ to }) => to.map(({ ipBlock }) => ipBlock.cidr));
    assert.deepEqual(blocks, ['192.0.2.1/32']);
    const all = ofKind(production, 'NetworkPolicy');
    for (const { spec: other, metadata } of all) {
      if (metadata.name === 'service-reaches-redis') continue;
      const ports = (other.egress as typeof other.egress | undefined) ?? [];
      for (const { ports: open } of ports) {
        for (const { port } of open) assert.ok(port === 53 || port === 443, metadata.name);
      }
    }
  });
});

describe('the components', () => {
  it('scrape a port that each pod has', () => {
    const [endpoint] = named(complete, 'PodMonitor', 'weather').spec.podMetricsEndpoints;
    for (const { container } of service(complete)) {
      assert.ok(container.ports.some(({ name }) => name === endpoint?.port));
    }
  });

  it('have both dashboards, with the label of the sidecar, in a size that can be applied', () => {
    const dashboards = ofKind(complete, 'ConfigMap').filter(
      ({ metadata }) => metadata.labels['grafana_dashboard'] === '1',
    );
    assert.deepEqual(
      dashboards.flatMap(({ data }) => Object.keys(data)),
      ['metrics.json', 'service.json'],
    );
    for (const { data } of dashboards) {
      assert.ok(JSON.stringify(data).length < MAX_APPLIED_BYTES);
      for (const text of Object.values(data)) assert.doesNotThrow(() => JSON.parse(text));
    }
  });

  it('of the Gateway API replace the Ingress', () => {
    assert.deepEqual(ofKind(complete, 'Ingress'), []);
    const policy = named(complete, 'NetworkPolicy', 'ingress-to-api').spec.ingress[0];
    assert.deepEqual(policy?.from[0]?.namespaceSelector.matchLabels, {
      'kubernetes.io/metadata.name': 'gateway',
    });
  });
});
