import type * as apps from 'kubernetes-types/apps/v1.js';
import type * as autoscaling from 'kubernetes-types/autoscaling/v2.js';
import type * as core from 'kubernetes-types/core/v1.js';
import type * as networking from 'kubernetes-types/networking/v1.js';
import type * as policy from 'kubernetes-types/policy/v1.js';
import type { KubernetesObject } from './kubectl.js';

/** A type with all fields required: a test fails at an absent field anyway. */
type Whole<T> = T extends (infer Item)[]
  ? Whole<Item>[]
  : T extends object
    ? { [Field in keyof T]-?: Whole<T[Field]> }
    : T;

export type Labels = Record<string, string>;
export type Container = Whole<core.Container>;
/** The rendered objects, by kind. */
interface Kinds {
  ConfigMap: Whole<core.ConfigMap>;
  Deployment: Whole<apps.Deployment>;
  HorizontalPodAutoscaler: Whole<autoscaling.HorizontalPodAutoscaler>;
  Ingress: Whole<networking.Ingress>;
  Namespace: Whole<core.Namespace>;
  NetworkPolicy: Whole<networking.NetworkPolicy>;
  PodDisruptionBudget: Whole<policy.PodDisruptionBudget>;
  PodMonitor: KubernetesObject & { spec: { podMetricsEndpoints: { port: string }[] } };
  Secret: Whole<core.Secret>;
}

/** The objects of one kind. */
export function ofKind<K extends keyof Kinds>(objects: KubernetesObject[], kind: K): Kinds[K][] {
  return objects.filter((object) => object.kind === kind) as unknown as Kinds[K][];
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
  const found = ofKind(objects, kind).find((object) => object.metadata.name === name);
  if (!found) throw new Error(`no ${kind} ${name} is rendered`);
  return found;
}

/**
 * The two Deployments of the service, each with its only container.
 * @throws if one is missing or has several containers
 */
export function service(objects: KubernetesObject[]) {
  return (['api', 'worker'] as const).map((role) => {
    const deployment = named(objects, 'Deployment', `weather-${role}`);
    const { spec } = deployment.spec.template;
    const [container, ...more] = spec.containers;
    if (!container || more.length > 0) throw new Error(`not one container: ${role}`);
    return { role, deployment, spec, container };
  });
}

/** A value for every key that the Secret must contain. */
const SECRET: Labels = {
  SESSION_SECRET_KEY: 'secret'.repeat(6),
  REDIS_URL: 'rediss://:secret@redis.example:6379',
  REDIS_PASSWORD: 'secret',
};

/** The keys of the Secret that a container reads: required keys (`must`) and optional keys (`may`). */
export function secretKeysOf({ env = [] }: Partial<Container>): { must: string[]; may: string[] } {
  const references = env.flatMap(({ name, valueFrom }: Partial<Container['env'][number]>) => {
    const reference = valueFrom?.secretKeyRef as Partial<core.SecretKeySelector> | undefined;
    if (reference && reference.key !== name) throw new Error(`${name} has ${reference.key}`);
    return reference ? [{ name: String(name), optional: reference.optional === true }] : [];
  });
  const names = (optional: boolean) =>
    references.filter((each) => each.optional === optional).map(({ name }) => name);
  return { must: names(false), may: names(true) };
}

/**
 * The environment with which a container starts.
 * @param secret the content of the Secret; by default a value for each required key
 * @throws if the Secret lacks a required key, because the container would not start
 */
export function environmentOf(
  container: Partial<Container>,
  objects: KubernetesObject[],
  secret?: Labels,
): Labels {
  const maps = (container.envFrom ?? []).map(
    ({ configMapRef }) => named(objects, 'ConfigMap', configMapRef.name).data,
  );
  const { must, may } = secretKeysOf(container);
  const given = secret ?? Object.fromEntries(must.map((key) => [key, SECRET[key]]));
  const missing = must.filter((key) => given[key] === undefined);
  if (missing.length > 0) throw new Error(`not in the Secret: ${missing.join(', ')}`);
  const taken = [...must, ...may].filter((key) => given[key] !== undefined);
  const plain = (container.env ?? []).flatMap(
    ({ name, value }: Partial<Container['env'][number]>) =>
      value === undefined ? [] : [[name, value]],
  );
  return Object.assign(
    {},
    ...maps,
    Object.fromEntries(plain),
    Object.fromEntries(taken.map((key) => [key, given[key]])),
  ) as Labels;
}
