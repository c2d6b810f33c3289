import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { anyClient } from '../support/http-client.js';
import { attempt } from '../support/load.js';
import { placePath } from '../support/places.js';
import { becomesReady, readiness } from '../support/readiness.js';
import { administer } from '../support/redis-cluster.js';
import type { Service } from '../support/service.js';
import { startStack } from '../support/stack.js';

const WATCHED_MS = 6000;

/** A replica whose user has these rules only, beside a worker that may do everything. */
async function startWith(t: TestContext, rules: string[], env = {}): Promise<Service> {
  const stack = await startStack(t, { replicas: 0, workers: 1 });
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
  for (const [what, rules, rule] of [
    [
      'for the keys of sessions',
      ['~weather:[^s]*', '~{weather:*', '&*', '+@all'],
      /^~weather:session3:\*$/,
    ],
    ['for a command', ['~*', '&*', '+@all', '-set'], /^\+(set$|@all)/],
    ['for a command in scripts only', ['~*', '&*', '+@all', '-hset'], /^\+(hset$|@all)/],
  ] as const) {
    it(`${what}: the replica works, says once which, and is not ready`, async (t) => {
      const replica = await startWith(t, [...rules]);
      await ask(replica);
      const told = replica.of('redis_permission_missing');
      assert.deepEqual(
        told.map(({ rule: missing }) => rule.test(String(missing))),
        [true],
        JSON.stringify(told),
      );
      assert.equal(await readiness(replica), 503);
      const unavailable = replica.of('redis_unavailable');
      assert.equal(unavailable.at(-1)?.['reason'], 'no_permission');
      assert.ok(troubles(replica).length <= 4, JSON.stringify(troubles(replica)));
    });
  }
});

describe('an access list without the keys of sessions', () => {
  it('costs nothing else: many at once name that rule alone, and limits stay shared', async (t) => {
    const limits = { RATE_LIMIT_PER_IP: '20', RATE_LIMIT_TOTAL: '1000', TRUST_PROXY: '1' };
    const stack = await startStack(t, { replicas: 0, workers: 0 });
    const rules = ['~weather:[^s]*', '~{weather:*', '&*', '+@all'];
    await administer(stack.redis, (redis) =>
      redis.call('ACL', 'SETUSER', 'app', 'on', '>secret', ...rules),
    );
    const url = `redis://app:secret@127.0.0.1:${stack.redis.port}`;
    for (let n = 0; n < 2; n += 1) {
      const replica = await stack.addReplica({ REDIS_URL: url, ...limits });
      await becomesReady(replica);
    }
    const search = (client: number) =>
      attempt(stack.url('/api/v1/weather?city=London&country=UK'), { headers: anyClient(client) });
    const searches = Array.from({ length: 300 }, (_, n) => search(n % 10));
    const statuses = (await Promise.all(searches)).map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 200).length, 10 * 20);
    assert.equal(statuses.filter((status) => status === 429).length, 10 * 10);
    for (const replica of stack.replicas) {
      await replica.waitFor('redis_permission_missing');
      const rulesTold = replica.of('redis_permission_missing').map(({ rule }) => rule);
      assert.deepEqual(rulesTold, ['~weather:session3:*']);
    }
  });
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
