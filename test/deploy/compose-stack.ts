import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Lifetime } from '../support/lifetime.js';
import { freePort } from '../support/redis-server.js';
import { startStandIn, type StandIn } from '../support/stand-in.js';
import { ROOT } from './base-image.js';
import { SECRETS } from './compose-file.js';
import type { Engine } from './engine.js';

/** What Compose and the handbook's commands use of a checkout. */
const CHECKOUT = (
  'docker-compose.yml Dockerfile .dockerignore .npmrc package.json package-lock.json tsconfig.json ' +
  'LICENSE src tools k8s'
).split(' ');

/** docker-compose.yml as an operator uses it: in a checkout of its own, with a file `.env`. */
export interface Stack {
  readonly url: string;
  readonly port: number;
  /** The checkout. */
  readonly folder: string;
  /** What answers for the weather providers. */
  readonly upstream: StandIn;
  readonly engine: Engine;
  /** Runs lines of a shell in the checkout until one fails. @returns the output @throws with it then */
  sh(lines: string): Promise<string>;
  /** The containers of a service that run, the oldest first. */
  containers(service: string): Promise<string[]>;
  /** Sets variables in `.env`. */
  set(variables: Record<string, string>): void;
}

/**
 * Makes the checkout and starts nothing. After the test all that it has started goes.
 * @param variables for `.env`, besides the secrets and the port
 */
export async function createStack(
  t: Lifetime,
  engine: Engine,
  variables: Record<string, string> = {},
): Promise<Stack> {
  const folder = mkdtempSync(join(tmpdir(), 'weather-checkout-'));
  for (const path of CHECKOUT) cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  // The gazetteer takes most of a build; one that fits the sources is taken as it is.
  const upstream = await startStandIn('0.0.0.0');
  t.after(() => upstream.close());
  const port = await freePort();
  const env: Record<string, string> = {
    ...SECRETS,
    HTTP_PORT: String(port),
    RATE_LIMIT_PER_IP: '0',
    RATE_LIMIT_TOTAL: '0',
    WEATHER_PROVIDERS: 'open-meteo,met-norway',
    ...variables,
  };
  const set = (more: Record<string, string>) => {
    Object.assign(env, more);
    const lines = Object.entries(env).map(([name, value]) => `${name}='${value}'\n`);
    writeFileSync(join(folder, '.env'), lines.join(''));
  };
  set({});
  const sh = async (lines: string) => {
    const run = promisify(execFile);
    const options = { cwd: folder, env: engine.env, maxBuffer: 64 * 1024 * 1024 };
    try {
      const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', lines], options);
      return stdout.trim();
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      throw new Error(`${lines}\n${stdout}${stderr}`, { cause: error });
    }
  };
  writeFileSync(join(folder, 'docker-compose.override.yml'), override(upstream.port));
  await sh('git init -q && git add -A && git -c user.name=a -c user.email=a@b commit -qm one');
  t.after(async () => {
    if (existsSync(folder)) await sh('docker compose --profile observability down -v -t 1');
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    ...{ port, folder, upstream, engine, sh, set },
    url: `http://127.0.0.1:${port}`,
    async containers(service) {
      const ids = await sh(`docker compose ps -q ${service}`);
      return ids === '' ? [] : ids.split('\n');
    },
  };
}

/** The containers find the stand-in at this machine's own address. */
function override(port: number): string {
  const address = Object.values(networkInterfaces())
    .flat()
    .find((each) => each?.family === 'IPv4' && !each.internal)?.address;
  if (address === undefined) throw new Error('this machine has no address for its containers');
  const url = `http://${address}:${port}`;
  const environment = {
    OPEN_METEO_URL: url,
    OPEN_METEO_GEOCODING_URL: url,
    MET_NORWAY_URL: url,
  };
  // JSON is YAML.
  return JSON.stringify({ services: { api: { environment }, worker: { environment } } });
}
