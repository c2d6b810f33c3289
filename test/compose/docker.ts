import { execFile, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The files of a checkout that Compose and the commands of the handbook use. */
const CHECKOUT = (
  'docker-compose.yml Dockerfile .dockerignore .npmrc package.json package-lock.json tsconfig.json ' +
  'LICENSE src tools k8s'
).split(' ');

/** Copies these files. @returns the folder */
export function copyCheckout(): string {
  const folder = mkdtempSync(join(tmpdir(), 'weather-checkout-'));
  for (const path of CHECKOUT) cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  return folder;
}

/** Runs `docker …`. @returns its standard output @throws with its output if it fails */
export async function docker(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('docker', args, { maxBuffer: 64 * 1024 * 1024 });
  return stdout.trim();
}

/**
 * The reason why no container engine can be used; undefined if one can. The tests never use a
 * person's Docker, which may run the same stack. The runner of CI is discarded afterwards.
 */
export function whyNoEngine(): string | undefined {
  if ((process.env['CI'] ?? '') === '') return 'set CI to test with the Docker of this machine';
  const { status, stdout } = spawnSync('docker', ['info', '--format', '{{.Name}}'], {
    encoding: 'utf8',
  });
  // In a container, the socket belongs to another machine. In CI, a test must fail, not be skipped.
  if (status === 0 && stdout.trim() === hostname()) return undefined;
  throw new Error('this machine runs no Docker');
}
