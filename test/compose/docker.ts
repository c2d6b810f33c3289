import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const inCompose = (name: string) =>
  new RegExp(`^ +image: (${name}:\\S+)$`, 'm').exec(read('docker-compose.yml'))?.[1] ?? '';

/** The official images that the Dockerfile and docker-compose.yml use. */
export const IMAGES = {
  node: /^FROM (\S+) AS base$/m.exec(read('Dockerfile'))?.[1] ?? '',
  redis: inCompose('redis'),
  nginx: inCompose('nginx'),
};

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

/** A container engine with Compose, on this machine. */
export interface Engine {
  /** The environment of shell commands that call `docker`. */
  readonly env: Record<string, string>;
  /** Runs `docker …`. @returns its standard output @throws with its output if it fails */
  readonly docker: (...args: string[]) => Promise<string>;
  stop(): Promise<void>;
}

/** Runs `docker …` with an environment. */
export function dockerIn(env: Record<string, string>): Engine['docker'] {
  return async (...args) => {
    const { stdout } = await promisify(execFile)('docker', args, {
      env,
      maxBuffer: 64 * 1024 * 1024,
    });
    return stdout.trim();
  };
}
