import type { KubernetesObject } from './kubectl.js';

/** The parts of rendered objects that the promises are about. */
export interface Container {
  name: string;
  image: string;
  args?: string[];
  ports: { name: string; containerPort: number }[];
  env?: { name: string; value?: string; valueFrom?: { secretKeyRef: SecretReference } }[];
  envFrom?: { configMapRef: { name: string } }[];
  startupProbe?: Probe;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  lifecycle?: { preStop: { sleep: { seconds: number } } };
  resources: { requests: Record<string, string>; limits: Record<string, string> };
  securityContext: {
    allowPrivilegeEscalation: boolean;
    readOnlyRootFilesystem: boolean;
    capabilities: { drop: string[]; add?: string[] };
    privileged?: boolean;
  };
}

export interface SecretReference {
  name: string;
  key: string;
  optional?: boolean;
}

export interface Probe {
  httpGet?: { path: string; port: string };
  tcpSocket?: { port: string };
  periodSeconds?: number;
  failureThreshold?: number;
}

export interface PodSpec {
  terminationGracePeriodSeconds: number;
  automountServiceAccountToken: boolean;
  enableServiceLinks: boolean;
  securityContext: { runAsNonRoot: boolean; runAsUser: number; seccompProfile: { type: string } };
  containers: Container[];
  initContainers?: Container[];
  volumes?: Record<string, unknown>[];
  topologySpreadConstraints?: {
    topologyKey: string;
    labelSelector: { matchLabels: Labels };
  }[];
  hostNetwork?: boolean;
  hostPID?: boolean;
  hostIPC?: boolean;
}

export type Labels = Record<string, string>;

export interface Deployment extends KubernetesObject {
  spec: {
    replicas?: number;
    minReadySeconds: number;
    selector: { matchLabels: Labels };
    strategy: { rollingUpdate?: { maxSurge: number; maxUnavailable: number } };
    template: { metadata: { labels: Labels }; spec: PodSpec };
  };
}

export interface Autoscaler extends KubernetesObject {
  spec: {
    scaleTargetRef: { apiVersion: string; kind: string; name: string };
    minReplicas: number;
    maxReplicas: number;
    metrics: { type: string }[];
  };
}

interface Peer {
  ipBlock?: { cidr: string; except?: string[] };
  namespaceSelector?: { matchLabels: Labels };
  podSelector?: { matchLabels: Labels };
}

interface Rule {
  from?: Peer[];
  to?: Peer[];
  ports: { port: string | number }[];
}

export interface NetworkPolicy extends KubernetesObject {
  spec: {
    podSelector: { matchLabels?: Labels };
    policyTypes: string[];
    ingress?: Rule[];
    egress?: Rule[];
  };
}

export interface Ingress extends KubernetesObject {
  metadata: KubernetesObject['metadata'] & { annotations: Labels };
  spec: {
    rules: {
      host: string;
      http: { paths: { backend: { service: { name: string; port: object } } }[] };
    }[];
    tls?: { hosts: string[]; secretName: string }[];
  };
}

/** What is rendered, by kind. */
interface Kinds {
  ConfigMap: KubernetesObject & { data: Labels };
  Deployment: Deployment;
  HorizontalPodAutoscaler: Autoscaler;
  Ingress: Ingress;
  Namespace: KubernetesObject;
  NetworkPolicy: NetworkPolicy;
  PodDisruptionBudget: KubernetesObject & {
    spec: { maxUnavailable: number; selector: { matchLabels: Labels } };
  };
  ScaledObject: KubernetesObject & {
    spec: {
      scaleTargetRef: { name: string };
      maxReplicaCount: number;
      triggers: { metadata: Labels }[];
    };
  };
  Secret: KubernetesObject;
  Service: KubernetesObject & { spec: { selector: Labels; ports: object[] } };
}

export function ofKind<K extends keyof Kinds>(objects: KubernetesObject[], kind: K): Kinds[K][] {
  return objects.filter((object) => object.kind === kind) as Kinds[K][];
}

/** @throws when there is no such object */
export function named<K extends keyof Kinds>(
  objects: KubernetesObject[],
  kind: K,
  name: string,
): Kinds[K] {
  const found = ofKind(objects, kind).find((object) => object.metadata.name === name);
  if (!found) throw new Error(`no ${kind} ${name} is rendered`);
  return found;
}

/** Whether a selector selects what has these labels. */
export function selects(selector: Labels | undefined, labels: Labels): boolean {
  return Object.entries(selector ?? {}).every(([name, value]) => labels[name] === value);
}

/** The environment of a container as it would start, with something in place of each secret. */
export function environmentOf(container: Container, objects: KubernetesObject[]): Labels {
  const maps = (container.envFrom ?? []).map(
    ({ configMapRef }) => named(objects, 'ConfigMap', configMapRef.name).data,
  );
  const own = (container.env ?? []).map(({ name, value, valueFrom }) => [
    name,
    value ?? secretStandIn(valueFrom?.secretKeyRef),
  ]);
  return Object.assign({}, ...maps, Object.fromEntries(own)) as Labels;
}

function secretStandIn(reference: SecretReference | undefined): string {
  if (reference?.optional) return '';
  return reference?.key === 'REDIS_URL'
    ? 'rediss://:secret@redis.example:6379'
    : 'secret'.repeat(6);
}

/**
 * Who may come in or go out, one line a right: `pods < peer : port` or `pods > peer : port`, each
 * named by its labels' values or its network.
 */
export function rights(policies: NetworkPolicy[]): string[] {
  const name = (labels: Labels | undefined) => Object.values(labels ?? {}).join('/') || 'any';
  const peer = ({ ipBlock, namespaceSelector, podSelector }: Peer) => {
    if (ipBlock)
      return [ipBlock.cidr, ...(ipBlock.except ? ['but', ...ipBlock.except] : [])].join(' ');
    return [namespaceSelector, podSelector]
      .filter((selector) => selector !== undefined)
      .map((selector) => name(selector.matchLabels))
      .join(' ');
  };
  return policies
    .flatMap(({ spec }) => {
      const pods = name(spec.podSelector.matchLabels);
      const lines = (rules: Rule[] = [], sign: '<' | '>') =>
        rules.flatMap((rule) =>
          (rule.from ?? rule.to ?? [{ ipBlock: { cidr: 'anyone' } }]).flatMap((other) =>
            rule.ports.map(({ port }) => `${pods} ${sign} ${peer(other)} : ${port}`),
          ),
        );
      return [...lines(spec.ingress, '<'), ...lines(spec.egress, '>')];
    })
    .sort();
}
