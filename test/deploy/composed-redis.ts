import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { watchOver } from '../support/child-processes.js';
import { eventually } from '../support/eventually.js';
import type { Lifetime } from '../support/lifetime.js';
import { freePort } from '../support/redis-server.js';
import { readCompose } from './compose-file.js';

/** A running redis-server. */
export interface ComposedRedis {
  /** Its command line, as other users of the machine see it. */
  args: string;
  /** The reply to PING with this password. */
  ping(password: string): string;
}

/** Starts Redis by the command of docker-compose.yml, on a free port. */
export async function startComposedRedis(t: Lifetime, password: string): Promise<ComposedRedis> {
  const { command = [], environment = {} } =
    readCompose({ REDIS_PASSWORD: password }).services['redis'] ?? {};
  // Compose prints each $ as $$.
  const read = (text: string) => text.replaceAll('$$', '$');
  const [shell = '', ...args] = command.map(read);
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'weather-redis-'));
  const env = { ...process.env, REDISCLI_AUTH: read(environment['REDISCLI_AUTH'] ?? '') };
  const child = spawn(shell, [...args, '--port', String(port), '--dir', folder], {
    env,
    stdio: 'ignore',
  });
  watchOver(child);
  t.after(async () => {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true });
  });
  const ping = (secret: string) =>
    spawnSync('redis-cli', ['-p', String(port), 'ping'], {
      env: { ...process.env, REDISCLI_AUTH: secret },
      encoding: 'utf8',
    }).stdout.trim();
  await eventually(() => /NOAUTH|PONG/.test(ping('')), 'a redis-server');
  return { args: readFileSync(`/proc/${child.pid}/cmdline`, 'utf8'), ping };
}
