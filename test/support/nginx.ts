import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { watchOver } from './child-processes.js';
import { eventually } from './eventually.js';
import { ask } from './http-client.js';
import type { Lifetime } from './lifetime.js';
import { ensureCommand } from './packages.js';
import { freePort } from './redis-server.js';

/** The configuration files that docker-compose.yml mounts. */
const FILES = new URL('../../k8s/nginx/', import.meta.url);
const START_LIMIT_MS = 10_000;

interface NginxOptions {
  /** Base URLs of the replicas behind it. */
  replicas: string[];
  corsOrigins?: string;
  /** Replaces the response timeout of 120 s. */
  readTimeoutSeconds?: number;
  /** Replaces the maximum of 1000 requests in flight per address. */
  requestsPerAddress?: number;
}

/**
 * Starts a real nginx with the configuration of the deployment. Only addresses and paths differ.
 */
export async function startNginx(t: Lifetime, options: NginxOptions) {
  const folder = await nginxFolder(t);
  const port = await freePort();
  await writeConfiguration(folder, port, options);
  const url = `http://127.0.0.1:${port}`;
  const pid = await runNginx(t, folder, `${url}/api/v1/health/live`);
  return {
    url,
    /** The process that has started the workers. */
    pid,
    /** The log records of nginx: one per request. */
    async records() {
      // nginx may be writing the last line.
      const lines = (await readFile(join(folder, 'access.log'), 'utf8')).split('\n').slice(0, -1);
      return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    },
  };
}

/** A folder for `runNginx`. */
export async function nginxFolder(t: Lifetime): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'weather-nginx-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  // If root starts nginx, its workers run as another user.
  await chmod(folder, 0o755);
  return folder;
}

/** Starts nginx with a folder's `nginx.conf`; waits until a URL responds. @returns its process */
export async function runNginx(t: Lifetime, folder: string, url: string): Promise<number> {
  ensureCommand('nginx', 'nginx-light');
  const errorLog = join(folder, 'error.log');
  const configuration = ['-p', folder, '-e', errorLog, '-c', join(folder, 'nginx.conf')];
  const child = spawn('nginx', [...configuration, '-g', 'daemon off;'], { stdio: 'ignore' });
  watchOver(child);
  t.after(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  });
  const answers = () =>
    ask(url).then(
      () => true,
      () => false,
    );
  await eventually(answers, 'nginx', START_LIMIT_MS).catch(async (cause: unknown) => {
    throw new Error(await readFile(errorLog, 'utf8'), { cause });
  });
  return child.pid!;
}

/** Writes the configuration of the deployment into a folder, with local addresses. */
async function writeConfiguration(
  folder: string,
  port: number,
  options: NginxOptions,
): Promise<void> {
  const { replicas, corsOrigins = '' } = options;
  const { readTimeoutSeconds = 120, requestsPerAddress = 1000 } = options;
  const main = (await source('nginx.conf')).replaceAll('/tmp/', `${folder}/`);
  await writeFile(
    join(folder, 'nginx.conf'),
    put(main, [
      ['/dev/stderr', join(folder, 'error.log')],
      ['/etc/nginx/conf.d/*.conf', join(folder, 'weather.conf')],
    ]),
  );
  await writeFile(join(folder, 'own-answer.conf'), await source('own-answer.conf'));

  const weather = (await source('weather.conf.template'))
    .replaceAll('${CORS_ORIGINS}', corsOrigins)
    .replaceAll('/etc/nginx/own-answer.conf', join(folder, 'own-answer.conf'));
  // Container names cannot be resolved here.
  const named = [...weather.matchAll(/^ *server api:8080 resolve(.*);$/gm)];
  const servers = named.map(([line, settings = '']): [string, string] => [
    line,
    replicas.map((url) => `  server ${new URL(url).host}${settings};`).join('\n'),
  ]);
  await writeFile(
    join(folder, 'weather.conf'),
    put(weather, [
      ...servers,
      ['resolver 127.0.0.11 valid=2s ipv6=off;', ''],
      ['proxy_read_timeout 120s;', `proxy_read_timeout ${readTimeoutSeconds}s;`],
      ['limit_conn weather_clients 1000;', `limit_conn weather_clients ${requestsPerAddress};`],
      ['listen 8080;', `listen 127.0.0.1:${port};`],
      ['listen [::]:8080;', ''],
      ['/dev/stdout', join(folder, 'access.log')],
    ]),
  );
}

function source(name: string): Promise<string> {
  return readFile(new URL(name, FILES), 'utf8');
}

/** Replaces texts. @throws if a text does not occur exactly once */
function put(text: string, replacements: [string, string][]): string {
  let result = text;
  for (const [old, replacement] of replacements) {
    const parts = result.split(old);
    if (old === '' || parts.length !== 2) throw new Error(`not exactly once: "${old}"`);
    result = parts.join(replacement);
  }
  return result;
}
