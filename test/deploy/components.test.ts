import { HTTPRoute } from '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1/HTTPRoute';
import { ScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1/ScaledObject';
import { PodMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PodMonitor';
import { PrometheusRule } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PrometheusRule';
import { AlertmanagerConfig } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1alpha1/AlertmanagerConfig';
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { render, type KubernetesObject } from './kubectl.js';
import { schemaFaults } from './kubernetes-schema.js';
import { named, ofKind, rights } from './objects.js';

let gateway: KubernetesObject[];
let keda: KubernetesObject[];

before(() => {
  gateway = render('overlays/production-gateway');
  keda = render('overlays/production-keda');
});

const one = (objects: KubernetesObject[], kind: string): KubernetesObject => {
  const [found, ...more] = objects.filter((object) => object.kind === kind);
  assert.ok(found && more.length === 0, kind);
  return found;
};

describe('the components', () => {
  it('meet the schemas that their projects publish', () => {
    new AlertmanagerConfig(one(gateway, 'AlertmanagerConfig') as never).validate();
    new HTTPRoute(one(gateway, 'HTTPRoute') as never).validate();
    new PodMonitor(one(gateway, 'PodMonitor') as never).validate();
    new PrometheusRule(one(gateway, 'PrometheusRule') as never).validate();
    new ScaledObject(one(keda, 'ScaledObject') as never).validate();
    const own = new Set(['AlertmanagerConfig', 'HTTPRoute', 'PodMonitor', 'PrometheusRule']);
    assert.deepEqual(schemaFaults(gateway.filter(({ kind }) => !own.has(kind))), []);
  });

  it('break those schemas with a wrong type', () => {
    const broken = structuredClone(one(gateway, 'HTTPRoute')) as unknown as {
      spec: { rules: { timeouts: object }[] };
    };
    broken.spec.rules[0]!.timeouts = { request: 120 };
    assert.throws(() => {
      new HTTPRoute(broken).validate();
    });
  });
});

describe('behind a Gateway', () => {
  it('a request has 120 s on its way to the API, and no Ingress is left', () => {
    assert.deepEqual(ofKind(gateway, 'Ingress'), []);
    const { spec } = one(gateway, 'HTTPRoute') as unknown as {
      spec: { hostnames: string[]; rules: { timeouts: object; backendRefs: object[] }[] };
    };
    const [rule] = spec.rules;
    assert.deepEqual(rule?.timeouts, { request: '120s', backendRequest: '120s' });
    const { ports } = named(gateway, 'Service', 'weather-api').spec;
    assert.deepEqual(rule.backendRefs, [{ name: 'weather-api', port: 80 }]);
    assert.deepEqual(ports, [{ name: 'http', port: 80, targetPort: 'http' }]);
    assert.deepEqual(spec.hostnames, ['weather.example.com']);
  });

  it('only the Gateway may reach the API', () => {
    const into = rights(ofKind(gateway, 'NetworkPolicy')).filter((right) => right.includes(' < '));
    assert.deepEqual(into, [
      'api/weather-lookup-service < gateway : http',
      'weather-lookup-service < monitoring : metrics',
    ]);
  });
});

describe('with the Prometheus Operator', () => {
  it('the pods are scraped on a port that they have, with the labels of the alerts', () => {
    const { spec } = one(gateway, 'PodMonitor') as unknown as {
      spec: { podMetricsEndpoints: { port: string; relabelings: { targetLabel: string }[] }[] };
    };
    const [endpoint] = spec.podMetricsEndpoints;
    assert.deepEqual(
      endpoint?.relabelings.map(({ targetLabel }) => targetLabel),
      ['job', 'component', 'instance'],
    );
    for (const name of ['weather-api', 'weather-worker']) {
      const [container] = named(gateway, 'Deployment', name).spec.template.spec.containers;
      assert.ok(
        container?.ports.some((port) => port.name === endpoint.port),
        name,
      );
    }
  });
});
