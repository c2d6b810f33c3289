import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blocksOf, sectionOf } from '../support/markdown.js';
import { ROOT } from './compose-file.js';
import { K8S, render, type KubernetesObject } from './kubectl.js';

/** docs/operations/deploy.md. */
export const deployHandbook = readFileSync(join(ROOT, 'docs/operations/deploy.md'), 'utf8');

/** Renders the example for production with the components that the handbook lists, outside of the repository. */
export function renderHandbookOverlay(): KubernetesObject[] {
  const folder = mkdtempSync(join(tmpdir(), 'weather-overlay-'));
  try {
    cpSync(join(K8S, 'overlays/production'), folder, { recursive: true });
    const file = join(folder, 'kustomization.yaml');
    const example = readFileSync(file, 'utf8');
    const section = sectionOf(deployHandbook, '### An overlay of your own');
    const [components = ''] = blocksOf(section, 'yaml');
    writeFileSync(file, example + components);
    return render(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
