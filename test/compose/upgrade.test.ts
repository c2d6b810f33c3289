import assert from 'node:assert/strict';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { losesNothing, useComposedStack } from './compose-stack.js';
import { ROOT } from './docker.js';
import { whyNoEngine } from './engine.js';
import { eventually } from '../support/eventually.js';
import { attempt } from '../support/load.js';
import { blocksOf, sectionOf } from '../support/markdown.js';

const HANDBOOK = readFileSync(join(ROOT, 'docs/operations/upgrade.md'), 'utf8');
/** The blocks of commands under a heading, in order, without the indentation of lists. */
const blocks = (heading: string) => blocksOf(sectionOf(HANDBOOK, heading), 'sh');
const [BUILD = '', REPLACE = '', BACK = ''] = blocks('### With Docker Compose');
const [CHANGE = '', RESTART_REDIS = ''] = blocks('## Rotate the other secrets');
/** A password with characters that are special in a URL and in a shell. */
const PASSWORD = 'a/b@c#d%e:f?g&h=i+j k"l$m';

/** Runs the commands of the handbook under load. */
describe('the handbook with Docker Compose', { skip: whyNoEngine() ?? false }, () => {
  const used = useComposedStack({ REDIS_PASSWORD: PASSWORD });
  const sh = (lines: string) => used.stack.sh(lines);
  const images = async () => {
    const all = await sh("docker compose ps --format '{{.Service}} {{.Image}}' api");
    return [...new Set(all.split('\n').map((line) => line.split(':').at(-1)))];
  };
  let version = '';

  it('deploys a new version without a lost request', async (t) => {
    const { stack } = used;
    appendFileSync(join(stack.folder, 'src/server.ts'), '// A change.\n');
    await sh('git -c user.name=a -c user.email=a@b commit -qam two');
    version = await sh('git rev-parse --short HEAD');
    await losesNothing(t, stack, () => sh(BUILD + REPLACE));
    assert.deepEqual(await images(), [version]);
    assert.equal((await stack.containers('api')).length, 3);
  });

  it('rolls back without a lost request', async (t) => {
    await losesNothing(t, used.stack, () => sh(BACK + REPLACE));
    assert.equal((await images()).length, 1);
    assert.ok(!(await images()).includes(version));
    const before = await sh('docker compose ps -q');
    await sh('docker compose up -d --wait');
    assert.equal(await sh('docker compose ps -q'), before, 'nothing is left to change');
  });

  it('a version that does not start replaces nothing', async (t) => {
    const { stack } = used;
    const old = await stack.containers('api');
    await sh(`cp .env .env.before
      docker commit --change 'CMD ["-e", "process.exit(1)"]' ${old[0]} weather-lookup-service:broken
      sed -i '/^IMAGE=/d' .env && echo IMAGE=weather-lookup-service:broken >> .env`);
    await losesNothing(t, stack, () => assert.rejects(sh(REPLACE), /weather-api-\d+/));
    await sh(BACK);
    const running = await sh('docker compose ps -aq api');
    const broken = running.split('\n').filter((id) => !old.includes(id));
    assert.equal(broken.length, 1);
    await stack.engine.docker('rm', '--force', ...broken);
    assert.deepEqual(await stack.containers('api'), old);
  });

  it('changes the password of Redis without a lost request', async (t) => {
    const { stack } = used;
    await losesNothing(t, stack, () => sh(CHANGE + REPLACE + RESTART_REDIS));
    const answers = (password: string) =>
      sh(`docker compose exec -T -e REDISCLI_AUTH='${password}' redis redis-cli ping`);
    assert.match(await answers(PASSWORD), /NOAUTH/);
    const env = readFileSync(join(stack.folder, '.env'), 'utf8');
    const [, fresh = ''] = /^REDIS_PASSWORD='(.+)'$/m.exec(env) ?? [];
    assert.equal(await answers(fresh), 'PONG');
    const ready = async () => (await attempt(`${stack.url}/api/v1/health/ready`)).status === 200;
    await eventually(ready, 'the replicas to find Redis again');
  });
});
