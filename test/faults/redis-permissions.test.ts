import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../support/eventually.js';
import { assertOutcomes, attempt, burst } from '../support/load.js';
import { placeKey, placePath } from '../support/places.js';
import { becomesReady, readiness } from '../support/readiness.js';
import { startRedis } from '../support/redis-server.js';
import type { Service } from '../support/service.js';
import { startProcesses } from '../support/stack.js';
import { PATHS } from '../support/stub-provider.js';
import { connectTo } from '../support/use-redis.js';

/** The variables of a process whose user has only these ACL rules. */
async function startWith(t: TestContext, rules: string[]) {
  const redis = await startRedis();
  const admin = connectTo(t, redis);
  await admin.call('ACL', 'SETUSER', 'app', 'on', '>secret', ...rules);
  const env = { REDIS_URL: redis.url.replace('//', '//app:secret@'), RATE_LIMIT_PER_IP: '100000' };
  return { env, store: redis, redisRefuses: true };
}

const warnings = ({ records }: Service) =>
  records.filter(({ level }) => level === 'WARNING' || level === 'ERROR');

describe('an access list that lacks a rule', { concurrency: true }, () => {
  it('for the keys of sessions: the replica serves, logs the message of Redis, and is not ready', async (t) => {
    const rules = ['~weather:[^s]*', '~{weather:*', '&*', '+@all'];
    const options = await startWith(t, rules);
    const { replicas } = await startProcesses(t, { ...options, replicas: 1, workers: 0 });
    const [replica] = replicas;
    for (let n = 0; n < 15; n += 1) {
      for (const path of [placePath(n), '/api/v1/weather?city=London&country=UK']) {
        assert.equal((await attempt(replica!.url + path)).status, 200);
      }
      await sleep(100);
    }
    assert.match(String(warnings(replica!)[0]?.['message']), /\bkeys?\b/);
    assert.equal(await readiness(replica!), 503);
    assert.ok(warnings(replica!).length <= 3, JSON.stringify(warnings(replica!)));
  });

  // One of our scripts, a command of BullMQ that waits, and one of its scripts.
  for (const command of ['getrange', 'bzpopmin', 'srem']) {
    it(`for ${command}: the replica serves, logs the message of Redis, and is not ready`, async (t) => {
      const options = await startWith(t, ['~*', '&*', '+@all', `-${command}`]);
      const { replicas } = await startProcesses(t, { ...options, replicas: 1, workers: 0 });
      const [replica] = replicas;
      for (let n = 0; n < 3; n += 1) {
        assert.equal((await attempt(replica!.url + placePath(n))).status, 200);
      }
      const { message } = await replica!.waitFor('redis_error');
      assert.match(String(message), /can't run this command|no permissions/);
      await eventually(async () => (await readiness(replica!)) === 503, 'a replica not ready');
    });
  }

  it('for channels: the message of Redis is logged, places are fetched once, and replicas are ready', async (t) => {
    const options = await startWith(t, ['~*', '+@all', 'resetchannels']);
    const stack = await startProcesses(t, { ...options, replicas: 2, workers: 1 });
    await Promise.all(stack.replicas.map((replica) => becomesReady(replica)));
    for (let n = 1; n <= 4; n += 1) {
      assert.equal((await attempt(stack.url(placePath(n)))).status, 200);
    }
    stack.upstream.behave(PATHS.openMeteo, { kind: 'ok', delayMs: 500 });
    assertOutcomes(await burst(Array.from({ length: 60 }, () => stack.url(placePath(20)))));
    assert.equal(stack.upstream.count(PATHS.openMeteo, placeKey(20)), 1);
    for (const process of [...stack.replicas, ...stack.workers]) {
      const { message } = await process.waitFor('redis_error');
      assert.match(String(message), /channel/);
      assert.ok(warnings(process).length <= 2, JSON.stringify(warnings(process)));
    }
    for (const replica of stack.replicas) assert.equal(await readiness(replica), 200);
  });

  it('for INFO: everything works, and one record has the message of the Redis client', async (t) => {
    const rules = ['~weather:*', '~{weather:*', '&weather:*', '+@all', '-@admin', '-@dangerous'];
    const options = await startWith(t, rules);
    const { replicas } = await startProcesses(t, { ...options, replicas: 1, workers: 0 });
    const [replica] = replicas;
    await becomesReady(replica!);
    assert.equal((await attempt(replica!.url + placePath(1))).status, 200);
    assert.deepEqual([warnings(replica!), replica!.noise], [[], []]);
    const messages = replica!.of('library_message').map(({ message }) => String(message));
    assert.equal(messages.length, 1, messages.join('\n'));
    assert.match(messages[0]!, /INFO/);
  });
});
