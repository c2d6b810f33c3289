import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { eventually } from '../support/eventually.js';
import { attempt } from '../support/load.js';
import { placePath } from '../support/places.js';
import { freePort, startRedis } from '../support/redis-server.js';
import { providersAt } from '../support/service.js';
import { startStandIn } from '../support/stand-in.js';
import { startContainer, type Container } from './container.js';
import { BASE } from './base-image.js';
import { mountImage, REVISION, VERSION, type MountedImage } from './image.js';

const SEATTLE = '/api/v1/weather?city=Seattle&country=USA';
const MEBIBYTE = 1024 * 1024;

/** Whom and what the process runs as: from the kernel. */
function statusOf({ pid }: Container): { uid: string; number: string } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return {
    uid: /^Uid:\t(\d+)/m.exec(status)?.[1] ?? '',
    // The last one is the number in its own view.
    number: /^NSpid:.*\t(\d+)$/m.exec(status)?.[1] ?? '',
  };
}

describe('the image', () => {
  let image: MountedImage;
  let settings: MountedImage['settings'];
  before(() => {
    image = mountImage('localhost/weather-lookup-service:test');
    ({ settings } = image);
  });
  after(() => {
    image.remove();
  });

  it('says who runs it, how, and what it is', () => {
    assert.match(BASE, /^node:\d+\.\d+\.\d+-\w+-slim$/);
    assert.equal(settings.User, '1000:1000');
    assert.deepEqual(settings.Entrypoint, ['node', '--enable-source-maps']);
    assert.deepEqual(settings.Cmd, ['--max-semi-space-size=8', 'dist/server.js']);
    assert.deepEqual(Object.keys(settings.ExposedPorts), ['8080/tcp', '9464/tcp']);
    assert.ok(settings.Env.includes('NODE_ENV=production'));
    const labels = Object.entries(settings.Labels).map(([name, value]) => [
      name.replace('org.opencontainers.image.', ''),
      value,
    ]);
    const { version, revision, licenses } = Object.fromEntries(labels) as Record<string, string>;
    assert.deepEqual([version, revision, licenses], [VERSION, REVISION, 'MIT']);
  });

  it('brings the list of its packages, each with its version', () => {
    const { components, metadata } = JSON.parse(
      readFileSync(join(image.root, 'app/sbom.cdx.json'), 'utf8'),
    ) as { components: { name: string; version: string }[]; metadata: object };
    const lock = JSON.parse(
      readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'),
    ) as { packages: Record<string, { version: string }> };
    const { version } = lock.packages['node_modules/koa'] ?? {};
    assert.ok(components.some((each) => each.name === 'koa' && each.version === version));
    assert.ok(!components.some(({ name }) => name === 'typescript'));
    // These would make every build another.
    assert.ok(!('timestamp' in metadata));
  });

  it('brings no package manager', () => {
    for (const name of ['npm', 'npx', 'corepack', 'yarn']) {
      assert.ok(!existsSync(join(image.root, 'usr/local/bin', name)), name);
    }
    assert.ok(!existsSync(join(image.root, 'usr/local/lib/node_modules')));
  });

  it('is small: what it adds to its base stays under 90 MiB', (t) => {
    t.diagnostic(`the image adds ${(image.ownBytes / MEBIBYTE).toFixed(1)} MiB to its base`);
    assert.ok(image.ownBytes < 90 * MEBIBYTE);
  });

  it('serves by itself, in memory, from files that nobody can write', async () => {
    const port = await freePort();
    const api = await startContainer(image, settings.Cmd, {
      NODE_ENV: 'development',
      WEATHER_PROVIDERS: 'demo',
      HOST: '127.0.0.1',
      PORT: String(port),
      METRICS_PORT: String(await freePort()),
    });
    const reply = await attempt(`http://127.0.0.1:${port}${SEATTLE}`);
    assert.deepEqual([reply.status, reply.headers['x-weather-provider']], [200, 'demo']);
    assert.deepEqual(statusOf(api), { uid: '1000', number: '1' });
    assert.equal(api.exec('true'), 0);
    assert.notEqual(api.exec('touch', '/tmp/anything'), 0);
    assert.equal(await api.stop(), 0);
    assert.deepEqual(api.noise, []);
    assert.equal(api.records.at(-1)?.event, 'shutdown_complete');
  });

  it('is the API and the worker beside a Redis, healthy until it ends', async () => {
    const redis = await startRedis();
    const upstream = await startStandIn();
    const port = await freePort();
    const common = { HOST: '127.0.0.1', REDIS_URL: redis.url, ...providersAt(upstream.url) };
    const apiEnv = {
      ...common,
      PORT: String(port),
      METRICS_PORT: String(await freePort()),
      SESSION_SECRET_KEY: 'secret'.repeat(6),
      SHUTDOWN_DELAY_MS: '0',
    };
    // A port on which nobody listens, as the API's in a container that runs a worker.
    const workerEnv = {
      ...common,
      PORT: String(await freePort()),
      METRICS_PORT: String(await freePort()),
    };
    const worker = await startContainer(image, ['dist/worker.js'], workerEnv);
    const api = await startContainer(image, settings.Cmd, apiEnv);
    const reply = await attempt(`http://127.0.0.1:${port}${SEATTLE}`);
    assert.deepEqual([reply.status, reply.headers['x-cache']], [200, 'MISS']);
    // The first place may come before the API has seen the worker.
    let place = 0;
    await eventually(async () => {
      await attempt(`http://127.0.0.1:${port}${placePath((place += 1))}`);
      return worker.records.some(({ event, outcome }) => event === 'fetch' && outcome === 'ok');
    }, 'a fetch by the worker');
    const health = settings.Healthcheck.Test.slice(1);
    assert.equal(api.exec(...health), 0);
    assert.equal(worker.exec(...health), 0);

    // Stopped by the kernel it answers nobody: then it is not healthy.
    process.kill(worker.pid, 'SIGSTOP');
    const hung = worker.exec('timeout', '3', ...health);
    process.kill(worker.pid, 'SIGCONT');
    assert.notEqual(hung, 0);

    assert.equal(await api.stop(), 0);
    assert.equal(await worker.stop(), 0);
    await upstream.close();
    await redis.stop();
  });
});
