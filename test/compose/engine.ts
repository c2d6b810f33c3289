import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { startDebianEngine, whyNoDebianEngine } from '../debian-engine/engine.js';
import { dockerIn, type Engine } from './docker.js';

/**
 * The reason why no container engine can be used here. Undefined: one can be used. A hosted runner has Docker. The
 * tests never use the Docker of a person, because it may run the same stack. Elsewhere they create an engine.
 */
export function whyNoEngine(): string | undefined {
  if (hasRunnersDocker()) return undefined;
  const isOccupied = existsSync('/var/run/docker.sock');
  const reason = isOccupied ? 'another Docker runs on this machine' : whyNoDebianEngine();
  // In CI, a test must fail instead of being skipped.
  if (reason !== undefined && process.env['CI']) throw new Error(reason);
  return reason;
}

/** Starts an engine, or uses the one of the hosted runner. */
export function startEngine(): Promise<Engine> {
  if (!hasRunnersDocker()) return startDebianEngine();
  const env = Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  );
  // The runner is discarded afterwards, and each stack removes itself.
  return Promise.resolve({ env, docker: dockerIn(env), stop: () => Promise.resolve() });
}

/** Whether this is CI with Docker on the same machine. In a container, the socket belongs to another machine. */
function hasRunnersDocker(): boolean {
  if ((process.env['CI'] ?? '') === '') return false;
  const { status, stdout } = spawnSync('docker', ['info', '--format', '{{.Name}}'], {
    encoding: 'utf8',
  });
  return status === 0 && stdout.trim() === hostname();
}
