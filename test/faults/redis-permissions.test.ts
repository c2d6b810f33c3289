import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { attempt } from '../support/load.js';
import { placePath } from '../support/places.js';
import { becomesReady, readiness } from '../support/readiness.js';
import { administer } from '../support/redis-cluster.js';
import type { Service } from '../support/service.js';
import { startStack } from '../support/stack.js';

const WATCHED_MS = 6000;

/** A replica whose user has these rules only, beside a worker that may do everything. */
async function startWith(t: TestContext, rules: string[], env = {}): Promise<Service> {
  const stack = await startStack(t, { replicas: 0, workers: 1, redisRefuses: true });
  await administer(stack.redis, (redis) =>
    redis.call('ACL', 'SETUSER', 'app', 'on', '>secret', ...rules),
  );
  const url = `redis://app:secret@127.0.0.1:${stack.redis.port}`;
  return stack.addReplica({ REDIS_URL: url, ...env });
}

async function ask(replica: Service): Promise<void> {
  const until = Date.now() + WATCHED_MS;
  for (let n = 0; Date.now() < until; n += 1) {
    for (const path of [placePath(n), '/api/v1/weather?city=London&country=UK']) {
      assert.equal((await attempt(replica.url + path)).status, 200);
    }
    await sleep(100);
  }
}

const troubles = (replica: Service) =>
  replica.records.filter(({ level }) => ['WARNING', 'ERROR'].includes(level));

describe('an access list that lacks a rule', { concurrency: true }, () => {
  for (const [what, rules, message] of [
    ['for the keys of sessions', ['~weather:[^s]*', '~{weather:*', '&*', '+@all'], /\bkeys?\b/],
    ['for a command', ['~*', '&*', '+@all', '-set'], /can't run this command|'set'/],
    ['for a command in scripts only', ['~*', '&*', '+@all', '-rpush'], /can't run|'rpush'/],
  ] as const) {
    it(`${what}: the replica serves, logs the message of Redis, and is not ready`, async (t) => {
      const replica = await startWith(t, [...rules], { RATE_LIMIT_PER_IP: '100000' });
      await ask(replica);
      const [record] = troubles(replica);
      assert.match(String(record?.['message']), message);
      assert.equal(await readiness(replica), 503);
      assert.ok(troubles(replica).length <= 3, JSON.stringify(troubles(replica)));
    });
  }
});

describe('an access list without INFO', () => {
  it('is enough: one record says what the client of Redis would like to know', async (t) => {
    const rules = ['~weather:*', '~{weather:*', '&weather:*', '+@all', '-@admin', '-@dangerous'];
    const replica = await startWith(t, rules, { RUN_WORKER: 'true' });
    await becomesReady(replica);
    assert.equal((await attempt(replica.url + placePath(1))).status, 200);
    assert.deepEqual([troubles(replica), replica.noise], [[], []]);
    const [told, ...more] = replica.of('library_message');
    assert.match(String(told?.['message']), /INFO/);
    assert.deepEqual(more, []);
  });
});
