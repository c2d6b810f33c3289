import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { ensureCommand } from '../support/packages.js';

/** An object as Kubernetes gets it. */
export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Record<string, string> };
  [field: string]: unknown;
}

export const K8S = join(import.meta.dirname, '../../k8s');
/** The first with the fields `labels` and `replicas` and with components as they are used here. */
const KUSTOMIZE_MAJOR = 5;

const rendered = new Map<string, KubernetesObject[]>();

/**
 * Renders a folder with `kubectl kustomize`, as `kubectl apply -k` does.
 * @param folder below `k8s/`, or a path of its own
 * @throws with what kubectl says; warnings are faults too
 */
export function render(folder: string): KubernetesObject[] {
  const known = rendered.get(folder);
  if (known) return known;
  ensureKubectl();
  const { status, stdout, stderr } = kubectl('kustomize', resolve(K8S, folder));
  if (status !== 0 || stderr !== '') throw new Error(`kubectl kustomize ${folder}: ${stderr}`);
  const objects = parseAllDocuments(stdout).map((document) => document.toJS() as KubernetesObject);
  rendered.set(folder, objects);
  return objects;
}

export function ensureKubectl(): void {
  ensureCommand('kubectl', 'kubernetes-client');
  const { stdout } = kubectl('version', '--client', '--output=yaml');
  const major = Number(/kustomizeVersion: v(\d+)/.exec(stdout)?.[1] ?? 0);
  if (major < KUSTOMIZE_MAJOR) {
    throw new Error(`kubectl 1.27 or newer is needed, for its kustomize ${KUSTOMIZE_MAJOR}`);
  }
}

function kubectl(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync('kubectl', args, { encoding: 'utf8' });
}
