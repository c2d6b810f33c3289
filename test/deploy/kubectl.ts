import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { ensureCommand } from '../support/packages.js';
import { ROOT } from './compose-file.js';

/** An object as Kubernetes gets it. */
export interface KubernetesObject {
  kind: string;
  metadata: { name: string; labels?: Record<string, string> };
}

/**
 * Renders an overlay with `kubectl kustomize`, as `kubectl apply -k` does.
 * @param more lines for the end of its `kustomization.yaml`
 * @throws with the output of kubectl if it reports an error or a warning
 */
export function render(overlay: string, more = ''): KubernetesObject[] {
  ensureCommand('kubectl', 'kubernetes-client');
  const copy = mkdtempSync(join(tmpdir(), 'weather-manifests-'));
  try {
    cpSync(join(ROOT, 'k8s'), copy, { recursive: true });
    const folder = join(copy, 'overlays', overlay);
    appendFileSync(join(folder, 'kustomization.yaml'), more);
    const { status, stdout, stderr } = spawnSync('kubectl', ['kustomize', folder], {
      encoding: 'utf8',
    });
    if (status !== 0 || stderr !== '') throw new Error(`kubectl kustomize ${overlay}: ${stderr}`);
    return parseAllDocuments(stdout).map((document) => document.toJS() as KubernetesObject);
  } finally {
    rmSync(copy, { recursive: true });
  }
}
