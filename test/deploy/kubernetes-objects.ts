import type { KubernetesObject } from './kubectl.js';

interface Probe {
  httpGet: { path: string };
}

/** The fields of a container that tests read. */
interface Container {
  args: string[];
  image: string;
  env?: {
    name: string;
    value?: string;
    valueFrom?: { secretKeyRef: { key: string; optional?: boolean } };
  }[];
  envFrom?: { configMapRef: { name: string } }[];
  lifecycle?: { preStop: { sleep: { seconds: number } } };
  livenessProbe: Probe;
  ports: { name: string }[];
  readinessProbe: Probe;
  resources: { requests: Record<string, string>; limits: Record<string, string> };
  securityContext: object;
  startupProbe: Probe;
  volumeMounts?: { mountPath: string }[];
}

/** The rendered objects, by kind. */
interface Kinds {
  ConfigMap: { data: Record<string, string> };
  Deployment: {
    spec: {
      replicas?: number;
      template: { spec: { terminationGracePeriodSeconds: number; containers: [Container] } };
    };
  };
  HorizontalPodAutoscaler: { spec: { maxReplicas: number } };
  PodMonitor: { spec: { podMetricsEndpoints: [{ port: string }] } };
}

/**
 * The object of a kind with a name.
 * @throws if there is none
 */
export function named<K extends keyof Kinds>(
  objects: KubernetesObject[],
  kind: K,
  name: string,
): Kinds[K] {
  const found = objects.find((object) => object.kind === kind && object.metadata.name === name);
  if (!found) throw new Error(`no ${kind} ${name} is rendered`);
  return found as unknown as Kinds[K];
}

/** The Deployments of the service, each with its container. The workers' is in a component. */
export function service(objects: KubernetesObject[]) {
  const names = objects
    .filter(({ kind }) => kind === 'Deployment')
    .map((each) => each.metadata.name);
  const roles = (['api', 'worker'] as const).filter((role) => names.includes(`weather-${role}`));
  return roles.map((role) => {
    const { spec } = named(objects, 'Deployment', `weather-${role}`);
    const pod = spec.template.spec;
    return { role, replicas: spec.replicas, pod, container: pod.containers[0] };
  });
}

/** A value for every key that the Secret must contain. */
const SECRET: Record<string, string> = {
  SESSION_SECRET_KEY: 'secret'.repeat(6),
  REDIS_URL: 'rediss://:secret@redis.example:6379',
  REDIS_PASSWORD: 'secret',
};

/** The keys of the Secret that a container reads. It does not start without the required ones. */
export function secretKeysOf({ env = [] }: Container): { key: string; optional: boolean }[] {
  return env.flatMap(({ name, valueFrom }) => {
    if (!valueFrom) return [];
    const { key, optional = false } = valueFrom.secretKeyRef;
    if (key !== name) throw new Error(`${name} has ${key}`);
    return [{ key, optional }];
  });
}

/** The environment with which a container starts if the Secret has only the required keys. */
export function environmentOf(
  container: Container,
  objects: KubernetesObject[],
): Record<string, string> {
  const maps = (container.envFrom ?? []).map(
    ({ configMapRef }) => named(objects, 'ConfigMap', configMapRef.name).data,
  );
  const plain = (container.env ?? []).flatMap(({ name, value }) =>
    value === undefined ? [] : [[name, value]],
  );
  const required = secretKeysOf(container).filter(({ optional }) => !optional);
  const secret = required.map(({ key }) => [key, SECRET[key]]);
  return Object.assign({}, ...maps, Object.fromEntries([...plain, ...secret])) as Record<
    string,
    string
  >;
}
