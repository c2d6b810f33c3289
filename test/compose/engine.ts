import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { startDebianEngine, whyNoDebianEngine } from '../debian-engine/engine.js';
import { dockerIn, type Engine } from './docker.js';

/**
 * Why no engine can be used here, or undefined if one can. A hosted runner has Docker. A person's own Docker is
 * left alone: it may run the very stack that the tests would stop. Elsewhere the tests make an engine.
 */
export function whyNoEngine(): string | undefined {
  if (hasRunnersDocker()) return undefined;
  if (existsSync('/var/run/docker.sock')) return 'another Docker runs on this machine';
  return whyNoDebianEngine();
}

/** Starts an engine, or takes that of the hosted runner. */
export function startEngine(): Promise<Engine> {
  if (!hasRunnersDocker()) return startDebianEngine();
  const env = Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  );
  // The machine is thrown away afterwards; each stack removes itself.
  return Promise.resolve({ env, docker: dockerIn(env), stop: () => Promise.resolve() });
}

/** Whether CI is set and Docker answers on this very machine: a job's container has the socket of another one. */
function hasRunnersDocker(): boolean {
  if ((process.env['CI'] ?? '') === '') return false;
  const { status, stdout } = spawnSync('docker', ['info', '--format', '{{.Name}}'], {
    encoding: 'utf8',
  });
  return status === 0 && stdout.trim() === hostname();
}
