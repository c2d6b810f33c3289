import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { SERVICE_VERSION } from '../../src/process/version.js';
import { ensureCommand } from '../support/packages.js';
import { ROOT } from './compose-file.js';

/** An object as Kubernetes gets it. */
export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Record<string, string> };
  [field: string]: unknown;
}

export const K8S = join(ROOT, 'k8s');
/** Where overlays outside of this repository take `base` and the components from. */
const PUBLISHED = 'https://github.com/weather-lookup-service/weather-lookup-service';

const rendered = new Map<string, KubernetesObject[]>();
let repository: string | undefined;

/**
 * Renders a folder with `kubectl kustomize`, as `kubectl apply -k` does. References to the published repository lead
 * to the manifests of this checkout, tagged as the current version.
 * @param folder below `k8s/`, or an absolute path
 * @throws with the output of kubectl if it reports an error or a warning
 */
export function render(folder: string): KubernetesObject[] {
  const known = rendered.get(folder);
  if (known) return known;
  ensureCommand('kubectl', 'kubernetes-client');
  repository ??= publish();
  const env = {
    ...process.env,
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `url.file://${repository}.insteadOf`,
    GIT_CONFIG_VALUE_0: PUBLISHED,
  };
  const command = ['kustomize', resolve(K8S, folder)];
  const { status, stdout, stderr } = spawnSync('kubectl', command, { encoding: 'utf8', env });
  if (status !== 0 || stderr !== '') throw new Error(`kubectl kustomize ${folder}: ${stderr}`);
  const objects = parseAllDocuments(stdout).map((document) => document.toJS() as KubernetesObject);
  rendered.set(folder, objects);
  return objects;
}

/** Makes a repository of the manifests with the tag of the current version, until the process exits. @returns its path */
function publish(): string {
  ensureCommand('git', 'git');
  const folder = mkdtempSync(join(tmpdir(), 'weather-published-'));
  process.once('exit', () => {
    rmSync(folder, { recursive: true, force: true });
  });
  cpSync(K8S, join(folder, 'k8s'), { recursive: true });
  const git = (...args: string[]) => {
    const identity = ['-c', 'user.name=a', '-c', 'user.email=a@b'];
    execFileSync('git', [...identity, ...args], { cwd: folder, stdio: 'pipe' });
  };
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Manifests');
  git('tag', `v${SERVICE_VERSION}`);
  return folder;
}
