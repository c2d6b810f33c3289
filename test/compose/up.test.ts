import assert from 'node:assert/strict';
import { appendFileSync, copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { cookieOf } from '../support/cookies.js';
import { eventually } from '../support/eventually.js';
import { attempt } from '../support/load.js';
import { blocksOf, sectionOf } from '../support/markdown.js';
import { PATHS } from '../support/stub-provider.js';
import { losesNothing, useComposedStack, SEATTLE } from './compose-stack.js';
import { ROOT, whyNoEngine } from './docker.js';

const HANDBOOK = readFileSync(join(ROOT, 'docs/operations/upgrade.md'), 'utf8');
const blocks = (heading: string) => blocksOf(sectionOf(HANDBOOK, heading), 'sh');
const [SMOKE = ''] = blocks('### Smoke test');
const [, REPLACE = ''] = blocks('### With Docker Compose');

/** Short checks of the stack. The other files of this folder take longer. */
describe('docker-compose.yml on a real engine', { skip: whyNoEngine() ?? false }, () => {
  const used = useComposedStack();
  const sh = (lines: string) => used.stack.sh(lines);

  it('responds as soon as the command has ended', async () => {
    const { url, upstream } = used.stack;
    const reply = await attempt(url + SEATTLE);
    assert.equal(reply.status, 200, reply.text);
    assert.equal(upstream.count(PATHS.openMeteo), 1);
  });

  it('logs nothing but JSON', async () => {
    const log = await sh('docker compose logs --no-log-prefix api nginx');
    const lines = log.split('\n');
    assert.ok(lines.length >= 5, log);
    for (const line of lines) assert.doesNotThrow(() => JSON.parse(line), line);
  });

  it('gives each container a read-only file system and no capabilities', async () => {
    for (const service of ['api', 'nginx', 'redis']) {
      const touch = sh(`docker compose exec -T ${service} touch /written`);
      await assert.rejects(touch, /Read-only/);
      const status = await sh(`docker compose exec -T ${service} cat /proc/1/status`);
      assert.match(status, /^CapEff:\t0+$/m, service);
      assert.match(status, /^NoNewPrivs:\t1$/m, service);
    }
  });

  it('keeps all containers if the command is repeated', async () => {
    const before = await sh('docker compose ps -q');
    await sh('docker compose up -d --build --wait');
    assert.equal(await sh('docker compose ps -q'), before);
  });

  it('replaces all replicas without a lost request', async (t) => {
    const before = await used.stack.containers('api');
    await losesNothing(t, used.stack, () => sh(SMOKE + REPLACE));
    const replicas = await used.stack.containers('api');
    assert.equal(replicas.length, before.length);
    assert.ok(!replicas.some((each) => before.includes(each)));
  });

  for (const [what, variable, message] of [
    ['invalid', 'CACHE_TTL_SECONDS=abc', /CACHE_TTL_SECONDS must be a number/],
    ['valid but wrong', 'UPSTREAM_TIMEOUT_MS=1', /a place has the status 503/],
  ] as const) {
    it(`replaces nothing if a variable is ${what}`, async (t) => {
      const { stack } = used;
      const before = await stack.containers('api');
      const env = join(stack.folder, '.env');
      copyFileSync(env, `${env}.before`);
      appendFileSync(env, `${variable}\n`);
      await losesNothing(t, stack, () => assert.rejects(sh(SMOKE + REPLACE), message));
      copyFileSync(`${env}.before`, env);
      const more = (await stack.containers('api')).filter((each) => !before.includes(each));
      if (more.length > 0) await sh(`docker rm -f ${more.join(' ')}`);
      assert.deepEqual(await stack.containers('api'), before);
    });
  }

  it('keeps sessions over down and up', async () => {
    const { url } = used.stack;
    const cookie = cookieOf(await attempt(url + SEATTLE));
    const searches = async () =>
      (await attempt(`${url}/api/v1/recent-searches`, { headers: { cookie } })).text;
    await eventually(async () => (await searches()).includes('Seattle'), 'the search');
    await sh('docker compose down && docker compose up -d --wait');
    assert.match(await searches(), /Seattle/);
  });
});
