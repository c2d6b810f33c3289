import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it, type TestContext } from 'node:test';
import { eventually } from '../support/eventually.js';
import { suiteLifetime } from '../support/lifetime.js';
import { attempt } from '../support/load.js';
import { placePath } from '../support/places.js';
import { startProgram } from '../support/processes.js';
import { freePort, startRedis } from '../support/redis-server.js';
import { providersAt } from '../support/service.js';
import { startStubProvider } from '../support/stub-provider.js';
import { IMAGES, ROOT, type Engine } from './docker.js';
import { startEngine, whyNoEngine } from './engine.js';
import { buildImage, REVISION, runInside, VERSION, type ImageSettings } from './image.js';

const SEATTLE = '/api/v1/weather?city=Seattle&country=USA';
const TAG = 'localhost/weather-lookup-service:test';
const MEBIBYTE = 1024 * 1024;

describe('the image', { skip: whyNoEngine() ?? false }, () => {
  const lifetime = suiteLifetime();
  let engine: Engine;
  let settings: ImageSettings;
  before(async () => {
    engine = await startEngine();
    lifetime.after(() => engine.stop());
    settings = await buildImage(engine, TAG, ROOT);
  });

  const inside = (command: string) => runInside(engine, TAG, command);

  /** A container of the image, with the network of this machine and a read-only file system. */
  async function startContainer(
    t: TestContext,
    name: string,
    env: Record<string, string>,
    ...command: string[]
  ) {
    const variables = Object.entries(env).flatMap(([key, value]) => ['--env', `${key}=${value}`]);
    const options = ['--rm', '--name', name, '--network', 'host', '--read-only', ...variables];
    const program = startProgram(['docker', 'run', ...options, TAG, ...command], {
      env: engine.env,
    });
    // Only the engine can stop the container.
    t.after(async () => {
      await engine.docker('rm', '--force', name).catch(() => undefined);
      await program.exited;
    });
    const event = command.join().includes('worker') ? 'worker_started' : 'server_started';
    await program.waitFor(event);
    const exec = (...args: string[]) => engine.docker('exec', name, ...args);
    const succeeds = (...args: string[]) =>
      exec(...args).then(
        () => true,
        () => false,
      );
    return { ...program, exec, succeeds };
  }

  it('has a user, an entry point, and labels', () => {
    assert.match(IMAGES.node, /^node:\d+\.\d+\.\d+-\w+-slim$/);
    assert.equal(settings.User, '1000:1000');
    assert.deepEqual(settings.Entrypoint, ['node', '--enable-source-maps']);
    assert.deepEqual(settings.Cmd, ['--max-semi-space-size=32', 'dist/server.js']);
    assert.deepEqual(Object.keys(settings.ExposedPorts), ['8080/tcp', '9464/tcp']);
    assert.ok(settings.Env.includes('NODE_ENV=production'));
    const labels = Object.entries(settings.Labels).map(([name, value]) => [
      name.replace('org.opencontainers.image.', ''),
      value,
    ]);
    const { version, revision, licenses } = Object.fromEntries(labels) as Record<string, string>;
    assert.deepEqual([version, revision, licenses], [VERSION, REVISION, 'MIT']);
  });

  it('contains the list of its packages with their versions', async () => {
    const { components, metadata } = JSON.parse(await inside('cat sbom.cdx.json')) as {
      components: { name: string; version: string }[];
      metadata: object;
    };
    const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { version: string }>;
    };
    const { version } = lock.packages['node_modules/koa'] ?? {};
    assert.ok(components.some((each) => each.name === 'koa' && each.version === version));
    assert.ok(!components.some(({ name }) => name === 'typescript'));
    // Files that would differ in each build.
    assert.ok(!('timestamp' in metadata));
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
    const port = await freePort();
    const api = await startContainer(t, 'weather-image-alone', {
      NODE_ENV: 'development',
      WEATHER_PROVIDERS: 'demo',
      HOST: '127.0.0.1',
      PORT: String(port),
      METRICS_PORT: String(await freePort()),
    });
    const reply = await attempt(`http://127.0.0.1:${port}${SEATTLE}`);
    assert.deepEqual([reply.status, reply.headers['x-weather-provider']], [200, 'demo']);
    const status = await api.exec('cat', '/proc/1/status');
    assert.match(status, /^Name:\tnode/m);
    assert.match(status, /^Uid:\t1000\t/m);
    assert.equal(await api.succeeds('true'), true);
    assert.equal(await api.succeeds('touch', '/tmp/anything'), false);
    // `docker run` forwards the signal to process 1, and exits with its code.
    assert.equal(await api.stop(), 0);
    assert.deepEqual(api.noise, []);
    assert.equal(api.records.at(-1)?.event, 'shutdown_complete');
  });

  it('runs as API and as worker with a Redis, healthy until it ends', async (t) => {
    const redis = await startRedis();
    t.after(() => redis.stop());
    const upstream = await startStubProvider();
    t.after(() => upstream.close());
    const port = await freePort();
    const common = { HOST: '127.0.0.1', REDIS_URL: redis.url, ...providersAt(upstream.url) };
    const apiEnv = {
      ...common,
      PORT: String(port),
      METRICS_PORT: String(await freePort()),
      SESSION_SECRET_KEY: 'secret'.repeat(6),
      SHUTDOWN_DELAY_MS: '0',
    };
    // A port without a listener, like the one of the API in the container of a worker.
    const workerEnv = {
      ...common,
      PORT: String(await freePort()),
      METRICS_PORT: String(await freePort()),
    };
    const worker = await startContainer(t, 'weather-image-worker', workerEnv, 'dist/worker.js');
    const api = await startContainer(t, 'weather-image-api', apiEnv);
    const reply = await attempt(`http://127.0.0.1:${port}${SEATTLE}`);
    assert.deepEqual([reply.status, reply.headers['x-cache']], [200, 'MISS']);
    // The first request may arrive before the API knows of the worker.
    let place = 0;
    await eventually(async () => {
      await attempt(`http://127.0.0.1:${port}${placePath((place += 1))}`);
      return worker.records.some(({ event, outcome }) => event === 'fetch' && outcome === 'ok');
    }, 'a fetch by the worker');
    const health = settings.Healthcheck.Test.slice(1);
    assert.equal(await api.succeeds(...health), true);
    assert.equal(await worker.succeeds(...health), true);

    // A stopped process does not respond, so it is unhealthy.
    await engine.docker('kill', '--signal', 'STOP', 'weather-image-worker');
    const hung = await worker.succeeds('timeout', '3', ...health);
    await engine.docker('kill', '--signal', 'CONT', 'weather-image-worker');
    assert.equal(hung, false);

    assert.equal(await api.stop(), 0);
    assert.equal(await worker.stop(), 0);
  });
});
