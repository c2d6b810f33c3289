import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { ARTIFACTS } from '../support/artifacts.js';
import { suiteLifetime, type Lifetime } from '../support/lifetime.js';
import { startLoad, tally, type Reply } from '../support/load.js';
import { placePath } from '../support/places.js';
import { freePort } from '../support/redis-server.js';
import { startStubProvider } from '../support/stub-provider.js';
import { SECRETS } from '../deploy/compose-file.js';
import { copyCheckout } from './docker.js';

export const SEATTLE = '/api/v1/weather?city=Seattle&country=USA';

type Stack = Awaited<ReturnType<typeof createStack>>;

/**
 * Creates the stack of docker-compose.yml in a checkout of its own, with a file `.env`. Does not
 * start it. After the test, removes all that was started.
 * @param variables for `.env`, besides the secrets and the port
 */
async function createStack(t: Lifetime, variables: Record<string, string>) {
  const folder = copyCheckout();
  const upstream = await startStubProvider({ host: '0.0.0.0' });
  t.after(() => upstream.close());
  const port = await freePort();
  const env = {
    ...SECRETS,
    // Every character that a shell, a URL, Compose, or the Redis configuration could interpret.
    REDIS_PASSWORD: 'a/b@c#d%e:f?g&h=i+j k"l$m\\n`o',
    IMAGE: 'weather-lookup-service:test',
    HTTP_PORT: String(port),
    RATE_LIMIT_PER_IP: '0',
    RATE_LIMIT_TOTAL: '0',
    WEATHER_PROVIDERS: 'open-meteo,met-norway',
    ...variables,
  };
  const assignments = Object.entries(env).map(([name, value]) => `${name}='${value}'\n`);
  writeFileSync(join(folder, '.env'), assignments.join(''));
  /** Runs shell commands in the checkout. @returns the output @throws with the output on failure */
  const sh = async (lines: string) => {
    const run = promisify(execFile);
    const options = { cwd: folder, maxBuffer: 64 * 1024 * 1024 };
    try {
      const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', lines], options);
      return stdout.trim();
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      throw new Error(`${lines}\n${stdout}${stderr}`, { cause: error });
    }
  };
  writeFileSync(join(folder, 'docker-compose.override.yml'), override(upstream.port));
  // As on a machine whose umask is 077.
  await sh('chmod -R go= Dockerfile LICENSE package*.json src tools');
  t.after(async () => {
    if (existsSync(folder)) {
      mkdirSync(ARTIFACTS, { recursive: true });
      await sh(`docker compose logs --no-color > '${ARTIFACTS}/compose-${port}.log' 2>&1`);
      await sh('docker compose --profile observability down -v -t 1');
    }
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    url: `http://127.0.0.1:${port}`,
    ...{ folder, upstream, sh },
    /** The running containers of a service, oldest first. */
    async containers(service: string) {
      const ids = await sh(`docker compose ps -q ${service}`);
      return ids === '' ? [] : ids.split('\n');
    },
  };
}

/** A stack for all tests of a suite, started by the command of the handbook. */
export function useComposedStack(variables: Record<string, string> = {}) {
  const lifetime = suiteLifetime();
  let stack: Stack;
  before(async () => {
    stack = await createStack(lifetime, variables);
    await stack.sh('docker compose up -d --build --wait');
  });
  return {
    get stack() {
      return stack;
    },
  };
}

/**
 * Sends GET and POST requests for cached and new places during an event and for a while after it.
 * Asserts that every response has status 200. @returns the responses
 */
export async function losesNothing(
  t: TestContext,
  { url }: Stack,
  act: () => Promise<unknown>,
  { clients = 6, pauseMs = 40 } = {},
): Promise<Reply[]> {
  const paths = [SEATTLE, '/api/v1/health', '/api/v1/weather'];
  const load = startLoad(t, {
    ...{ clients, pauseMs },
    next: (count) => url + (count % 4 === 3 ? placePath(count % 100) : (paths[count % 4] ?? '')),
    body: (count) => (count % 4 === 2 ? { city: 'Oslo', country: 'Norway' } : undefined),
  });
  await act();
  // DNS names have a TTL of two seconds, failures of five.
  await sleep(6000);
  const replies = await load.stop();
  const lost = replies.filter(({ status }) => status !== 200);
  const slowest = Math.max(...replies.map(({ ms }) => ms));
  t.diagnostic(`${lost.length} of ${replies.length} lost, slowest ${slowest.toFixed()} ms`);
  assert.deepEqual(tally(lost), {});
  assert.ok(replies.length > 50, String(replies.length));
  return replies;
}

/** The containers reach the stub provider by a name that the engine resolves. */
function override(port: number): string {
  const url = `http://this-machine:${port}`;
  const environment = {
    OPEN_METEO_URL: url,
    OPEN_METEO_GEOCODING_URL: url,
    MET_NORWAY_URL: url,
  };
  const extra_hosts = ['this-machine:host-gateway'];
  // JSON is YAML.
  return JSON.stringify({ services: { api: { environment, extra_hosts } } });
}
