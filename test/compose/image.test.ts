import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { attempt } from '../support/load.js';
import { startProgram } from '../support/processes.js';
import { freePort } from '../support/redis-server.js';
import { SEATTLE } from './compose-stack.js';
import { docker, ROOT, whyNoEngine } from './docker.js';

const TAG = 'localhost/weather-lookup-service:test';
const VERSION = '12.34.56';
const REVISION = '0123456789abcdef0123456789abcdef01234567';
const MEBIBYTE = 1024 * 1024;

/** The configuration of an image. */
interface ImageSettings {
  User: string;
  Entrypoint: string[];
  Labels: Record<string, string>;
  Healthcheck: { Test: string[] };
}

describe('the image', { skip: whyNoEngine() ?? false }, () => {
  let settings: ImageSettings;
  before(async () => {
    const versions = ['--build-arg', `VERSION=${VERSION}`, '--build-arg', `REVISION=${REVISION}`];
    await docker('build', ...versions, '--tag', TAG, ROOT);
    const format = '{{json .Config}}';
    settings = JSON.parse(
      await docker('image', 'inspect', '--format', format, TAG),
    ) as ImageSettings;
  });

  /** Runs a shell command in a new container of the image. @returns its output */
  const inside = (command: string) =>
    docker('run', '--rm', '--entrypoint', 'sh', TAG, '-c', command);

  it('has a user, an entry point, and labels', () => {
    assert.equal(settings.User, '1000:1000');
    // No shell, so that `node` receives the signals.
    assert.equal(settings.Entrypoint[0], 'node');
    const label = (name: string) => settings.Labels[`org.opencontainers.image.${name}`];
    assert.deepEqual([label('version'), label('revision')], [VERSION, REVISION]);
  });

  it('contains the list of its packages with their versions', async () => {
    const { components } = JSON.parse(await inside('cat sbom.cdx.json')) as {
      components: { name: string; version: string }[];
    };
    const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { version: string }>;
    };
    const { version } = lock.packages['node_modules/koa'] ?? {};
    assert.ok(components.some((each) => each.name === 'koa' && each.version === version));
    assert.ok(!components.some(({ name }) => name === 'typescript'));
  });

  it('contains the licenses of its data', async () => {
    assert.match(await inside('cat THIRD-PARTY-NOTICES.txt'), /UNICODE LICENSE V3/);
  });

  it('contains no package manager', async () => {
    const names = 'npm npx corepack yarn';
    assert.equal(await inside(`command -v ${names} || true`), '');
    assert.equal(await inside('ls /usr/local/lib/node_modules 2>/dev/null || true'), '');
  });

  it('adds less than 90 MiB to its base image', async (t) => {
    const bytes = Number((await inside('du -sb /app')).split('\t')[0]);
    t.diagnostic(`the image adds ${(bytes / MEBIBYTE).toFixed(1)} MiB to its base`);
    assert.ok(bytes < 90 * MEBIBYTE);
  });

  it('runs without Redis and with a read-only file system', async (t) => {
    const name = 'weather-image-alone';
    const port = await freePort();
    const env = {
      NODE_ENV: 'development',
      WEATHER_PROVIDERS: 'demo',
      HOST: '127.0.0.1',
      PORT: String(port),
      METRICS_PORT: String(await freePort()),
    };
    const variables = Object.entries(env).flatMap(([key, value]) => ['--env', `${key}=${value}`]);
    const options = ['--rm', '--name', name, '--network', 'host', '--read-only', ...variables];
    const api = startProgram(['docker', 'run', ...options, TAG], {});
    // Only the engine can stop the container.
    t.after(async () => {
      await docker('rm', '--force', name).catch(() => undefined);
      await api.exited;
    });
    await api.waitFor('server_started');
    const exec = (...args: string[]) => docker('exec', name, ...args);
    const reply = await attempt(`http://127.0.0.1:${port}${SEATTLE}`);
    assert.deepEqual([reply.status, reply.headers['x-weather-provider']], [200, 'demo']);
    const status = await exec('cat', '/proc/1/status');
    assert.match(status, /^Name:\tnode/m);
    assert.match(status, /^Uid:\t1000\t/m);
    await exec(...settings.Healthcheck.Test.slice(1));
    await assert.rejects(exec('touch', '/tmp/anything'), /Read-only/);
    // `docker run` forwards the signal to process 1, and exits with its code.
    assert.equal(await api.stop(), 0);
    assert.deepEqual(api.noise, []);
    assert.equal(api.records.at(-1)?.event, 'shutdown_complete');
  });
});
