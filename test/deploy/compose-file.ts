import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { ensureCommand } from '../support/packages.js';

/** A service of docker-compose.yml after Compose has filled in the environment. */
export interface ComposeService {
  mem_limit?: string;
  command?: string[];
  entrypoint?: string[];
  environment?: Record<string, string>;
  deploy?: { replicas: number };
  networks: Record<string, unknown>;
  ports?: unknown[];
  stop_grace_period?: string;
  volumes?: (string | { source: string })[];
}

interface Compose {
  services: Record<string, ComposeService>;
  networks: Record<string, { internal?: boolean }>;
}

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FILE = readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8');
export const SECRETS = { REDIS_PASSWORD: 'a'.repeat(64), SESSION_SECRET_KEY: 'b'.repeat(64) };

/** Runs `docker-compose config` on docker-compose.yml with these environment variables only. */
export function runCompose(env: Record<string, string | undefined>): {
  status: number | null;
  out: string;
  err: string;
} {
  ensureCommand('docker-compose', 'docker-compose');
  const folder = mkdtempSync(join(tmpdir(), 'weather-compose-'));
  try {
    const file = join(folder, 'docker-compose.yml');
    // Compose 1.29 of Debian 12 rejects this field.
    writeFileSync(file, FILE.replace(/^name: .*$/m, ''));
    // Without this, Compose would read the .env of the developer.
    const none = join(folder, 'none.env');
    writeFileSync(none, '');
    const options = ['--env-file', none, '--project-directory', ROOT, '-f', file];
    const { status, stdout, stderr } = spawnSync(
      'docker-compose',
      [...options, '--profile', 'observability', '--profile', 'worker', 'config'],
      { encoding: 'utf8', env: { PATH: process.env['PATH'], ...env } },
    );
    return { status, out: stdout, err: stderr };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * docker-compose.yml with both secrets and these environment variables.
 * @throws with the message of Compose if it rejects the file
 */
export function readCompose(env: Record<string, string> = {}): Compose {
  const { status, out, err } = runCompose({ ...SECRETS, ...env });
  if (status !== 0) throw new Error(err);
  return parse(out) as Compose;
}
