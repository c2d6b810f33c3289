import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NAMESPACES, sh } from './cluster.js';

export interface Settings {
  /** The tag of the image `weather-lookup-service`. */
  tag: string;
  /** Variables of the ConfigMap. */
  variables?: Record<string, string>;
}

/** Like production, but with invented weather. */
const VARIABLES = {
  WEATHER_PROVIDERS: 'demo',
  RATE_LIMIT_TOTAL: '0',
  REPLICAS_HINT: '3',
  SHUTDOWN_DELAY_MS: '5000',
};

/** The development overlay has the password in REDIS_URL. */
const WITHOUT_PASSWORD = {
  patch: JSON.stringify({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'weather-worker' },
    spec: {
      template: {
        spec: {
          containers: [{ name: 'worker', env: [{ name: 'REDIS_PASSWORD', $patch: 'delete' }] }],
        },
      },
    },
  }),
};

/**
 * Applies the development overlay of a folder `k8s` with three replicas, the component of two workers, and disruption
 * budgets, and
 * waits until the rollout is complete.
 */
export async function applyThree(k8s: string, settings: Settings): Promise<void> {
  await sh(`kubectl apply -k '${overlayOf(k8s, settings)}'`);
  await rolledOut();
}

/** Writes that overlay. @returns its folder */
export function overlayOf(k8s: string, { tag, variables = {} }: Settings): string {
  const folder = join(k8s, 'overlays/three');
  mkdirSync(folder, { recursive: true });
  cpSync(join(k8s, 'base/disruption.yaml'), join(folder, 'disruption.yaml'));
  const literals = Object.entries({ ...VARIABLES, ...variables }).map((each) => each.join('='));
  const kustomization = {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    namespace: NAMESPACES.development,
    resources: ['../development', 'disruption.yaml'],
    components: ['../../components/worker'],
    images: [{ name: 'weather-lookup-service', newTag: tag }],
    configMapGenerator: [{ name: 'weather', behavior: 'merge', literals }],
    replicas: [{ name: 'weather-api', count: 3 }],
    patches: [WITHOUT_PASSWORD],
  };
  // JSON is YAML.
  writeFileSync(join(folder, 'kustomization.yaml'), JSON.stringify(kustomization));
  return folder;
}

/** Waits until the rollouts of all deployments are complete. */
export async function rolledOut(namespace = NAMESPACES.development): Promise<void> {
  const { stdout } = await sh(`kubectl -n ${namespace} get deployments -o name`);
  for (const name of stdout.split('\n').filter((each) => each.includes('/weather-'))) {
    await sh(`kubectl -n ${namespace} rollout status ${name} --timeout=5m`);
  }
}

/** Changes a file of the production overlay, as an operator does. */
export function edit(file: string, change: (text: string) => string): void {
  const text = readFileSync(file, 'utf8');
  const changed = change(text);
  if (changed === text) throw new Error(`nothing to change in ${file}`);
  writeFileSync(file, changed);
}
