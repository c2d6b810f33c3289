import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ask } from '../support/http-client.js';
import { startReplica, type Service } from '../support/service.js';

/** A client that a well-known generator makes of what the running service says of itself. */

const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));
const COMPILER_OPTIONS = [
  '--strict',
  '--noEmit',
  '--module',
  'preserve',
  '--target',
  'es2022',
  '--skipLibCheck',
];

let service: Service;
let folder: string;

before(async () => {
  service = await startReplica({ WEATHER_PROVIDERS: 'demo' });
  folder = await mkdtemp(join(tmpdir(), 'weather-clients-'));
  await symlink(MODULES, join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
});

after(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

async function run(command: string, ...args: string[]): Promise<string> {
  const path = join(MODULES, '.bin', command);
  try {
    return (await promisify(execFile)(path, args, { cwd: folder })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${command} fails: ${stdout}${stderr}`, { cause: error });
  }
}

/** Compiles a program under `--strict`, runs it against the service, and gives what it prints. */
async function outcomeOf(name: string, program: string): Promise<unknown> {
  await writeFile(join(folder, name), program);
  await run('tsc', ...COMPILER_OPTIONS, name);
  return JSON.parse(await run('tsx', name, service.url));
}

const EXPECTED = {
  types: ['number', 'string', 'number', 'number'],
  location: { city: 'Lima', country: 'Peru', latitude: null, longitude: null },
  latitude: -12.05,
  searches: [{ city: 'Lima', country: 'Peru' }],
  cleared: 'Recent searches cleared',
  health: 'ok',
  refused: 'Missing required parameters',
};

describe('a generated client', () => {
  it('generated client: of OpenAPI 3.1, by openapi-typescript, compiles and works', async () => {
    const description = join(folder, 'openapi.json');
    await writeFile(description, (await ask(`${service.url}/openapi.json`)).body);
    await run('openapi-typescript', description, '-o', 'schema.ts');
    const outcome = await outcomeOf(
      'client3.ts',
      `
      import createClient from 'openapi-fetch';
      import type { paths } from './schema.ts';
      const client = createClient<paths>({ baseUrl: process.argv[2]! });
      declare const process: { argv: string[] };

      const query = { city: 'Lima', country: 'Peru' };
      const found = await client.GET('/api/v1/weather', { params: { query } });
      const weather = found.data!;
      const cookie = found.response.headers.getSetCookie().map((each) => each.split(';')[0]).join('; ');
      const at = await client.GET('/api/v1/weather/coordinates', {
        params: { query: { lat: -12.05, lon: -77.04 } },
      });
      const latitude: number | null = at.data!.location.latitude;
      const headers = { cookie };
      const searches = (await client.GET('/api/v1/recent-searches', { headers })).data!.recent_searches;
      const cleared: string = (await client.DELETE('/api/v1/recent-searches', { headers })).data!.message;
      const health: 'ok' = (await client.GET('/api/v1/health')).data!.status;
      // @ts-expect-error the description demands a country
      const bad = await client.GET('/api/v1/weather', { params: { query: { city: 'Lima' } } });
      const refused: string = bad.error!.error;
      const { temperature, condition, humidity, wind_speed, location } = weather;
      console.log(JSON.stringify({
        types: [temperature, condition, humidity, wind_speed].map((value) => typeof value),
        location, latitude, searches, cleared, health, refused,
      }));
      `,
    );
    assert.deepEqual(outcome, EXPECTED);
  });
});
