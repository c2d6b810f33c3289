import type * as apps from 'kubernetes-types/apps/v1.js';
import type * as autoscaling from 'kubernetes-types/autoscaling/v2.js';
import type * as core from 'kubernetes-types/core/v1.js';
import type * as networking from 'kubernetes-types/networking/v1.js';
import type * as policy from 'kubernetes-types/policy/v1.js';
import type { KubernetesObject } from './kubectl.js';

/** The parts of rendered objects that the promises are about. Every field counts as there: a test says if not. */
type Whole<T> = T extends (infer Item)[]
  ? Whole<Item>[]
  : T extends object
    ? { [Field in keyof T]-?: Whole<T[Field]> }
    : T;

export type Labels = Record<string, string>;
export type Container = Whole<core.Container>;
export type Probe = Whole<core.Probe>;
export type NetworkPolicy = Whole<networking.NetworkPolicy>;
type Rule = Partial<
  NetworkPolicy['spec']['ingress'][number] & NetworkPolicy['spec']['egress'][number]
>;
type Peer = Partial<Whole<networking.NetworkPolicyPeer>>;

/** What is rendered, by kind. */
interface Kinds {
  ConfigMap: Whole<core.ConfigMap>;
  Deployment: Whole<apps.Deployment>;
  HTTPRoute: KubernetesObject & {
    spec: { rules: { timeouts: object; backendRefs: object[] }[] };
  };
  HorizontalPodAutoscaler: Whole<autoscaling.HorizontalPodAutoscaler>;
  Ingress: Whole<networking.Ingress>;
  Namespace: Whole<core.Namespace>;
  NetworkPolicy: NetworkPolicy;
  PodDisruptionBudget: Whole<policy.PodDisruptionBudget>;
  PodMonitor: KubernetesObject & {
    spec: { podMetricsEndpoints: { port: string; relabelings: { targetLabel: string }[] }[] };
  };
  ScaledObject: KubernetesObject & {
    spec: {
      scaleTargetRef: { name: string };
      maxReplicaCount: number;
      triggers: { metadata: Labels }[];
    };
  };
  Secret: Whole<core.Secret>;
  Service: Whole<core.Service>;
}

export function ofKind<K extends keyof Kinds>(objects: KubernetesObject[], kind: K): Kinds[K][] {
  return objects.filter((object) => object.kind === kind) as unknown as Kinds[K][];
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

/** The two Deployments of the service itself, with their only container and their pods' labels. */
export function service(objects: KubernetesObject[]) {
  return (['api', 'worker'] as const).map((role) => {
    const deployment = named(objects, 'Deployment', `weather-${role}`);
    const { spec, metadata } = deployment.spec.template;
    const [container, ...more] = spec.containers;
    if (!container || more.length > 0) throw new Error(`not one container: ${role}`);
    return { role, deployment, spec, container, labels: metadata.labels };
  });
}

/** Whether a selector selects what has these labels. */
export function selects(selector: Labels | undefined, labels: Labels): boolean {
  return Object.entries(selector ?? {}).every(([name, value]) => labels[name] === value);
}

/** Values of the Secret: something for every key that must be in it. */
const SECRET: Labels = {
  SESSION_SECRET_KEY: 'secret'.repeat(6),
  REDIS_URL: 'rediss://:secret@redis.example:6379',
  REDIS_PASSWORD: 'secret',
};

/** The keys of the Secret that a container's variables come from: `must` be there, and `may` be. */
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
 * The environment of a container as it would start.
 * @param secret what is in the Secret; by default what must be
 * @throws when a key is missing there: the container would not start
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

/**
 * Who may come in or go out, one line a right: `pods < peer : port` or `pods > peer : port`, each
 * named by its labels' values or its network.
 */
export function rights(policies: NetworkPolicy[]): string[] {
  const name = (labels: Labels | undefined) => Object.values(labels ?? {}).join('/') || 'any';
  const peer = ({ ipBlock, namespaceSelector, podSelector }: Peer) => {
    if (ipBlock) {
      const { cidr, except = [] } = ipBlock as Partial<typeof ipBlock>;
      return [cidr, ...(except.length > 0 ? ['but', ...except] : [])].join(' ');
    }
    return [namespaceSelector, podSelector]
      .filter((selector) => selector !== undefined)
      .map((selector) => name(selector.matchLabels))
      .join(' ');
  };
  return policies
    .flatMap(({ spec }) => {
      const pods = name(spec.podSelector.matchLabels);
      const lines = (rules: Rule[] | undefined, sign: '<' | '>') =>
        (rules ?? []).flatMap((rule) =>
          (rule.from ?? rule.to ?? [{ ipBlock: { cidr: 'anyone' } }]).flatMap((other) =>
            (rule.ports ?? []).map(
              ({ port }) => `${pods} ${sign} ${peer(other as Peer)} : ${port}`,
            ),
          ),
        );
      return [...lines(spec.ingress, '<'), ...lines(spec.egress, '>')];
    })
    .sort();
}
