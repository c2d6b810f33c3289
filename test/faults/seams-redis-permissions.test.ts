import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { attempt } from '../support/load.js';
import { placePath } from '../support/places.js';
import { readiness } from '../support/readiness.js';
import { administer } from '../support/redis-cluster.js';
import type { Service } from '../support/service.js';
import { startStack } from '../support/stack.js';

const WATCHED_MS = 6000;

/** A replica whose user lacks a rule, beside a worker that lacks none. */
async function startWithout(t: TestContext, rules: string[]): Promise<Service> {
  const stack = await startStack(t, { replicas: 0, workers: 1 });
  await administer(stack.redis, (redis) =>
    redis.call('ACL', 'SETUSER', 'app', 'on', '>secret', ...rules),
  );
  return stack.addReplica({ REDIS_URL: `redis://app:secret@127.0.0.1:${stack.redis.port}` });
}

async function ask(replica: Service): Promise<void> {
  const until = Date.now() + WATCHED_MS;
  for (let n = 0; Date.now() < until; n += 1) {
    assert.equal((await attempt(replica.url + placePath(n))).status, 200);
    await sleep(100);
  }
}

const troubles = (replica: Service) =>
  replica.records.filter(
    ({ level, event }) => ['WARNING', 'ERROR'].includes(level) && event !== 'fetch_uncoordinated',
  );

describe('an access list that lacks a rule', { concurrency: true }, () => {
  for (const [what, rules, rule] of [
    [
      'for the keys of sessions',
      ['~weather:[^s]*', '~{weather:*', '&*', '+@all'],
      /^~weather:session3:\*$/,
    ],
    ['for a command', ['~*', '&*', '+@all', '-set'], /^\+(set$|@all)/],
  ] as const) {
    it(`${what}: the replica works, says once which, and is not ready`, async (t) => {
      const replica = await startWithout(t, [...rules]);
      await ask(replica);
      const told = replica.of('redis_permission_missing');
      assert.deepEqual(
        told.map(({ rule: missing }) => rule.test(String(missing))),
        [true],
        JSON.stringify(told),
      );
      assert.equal(await readiness(replica), 503);
      const degraded = replica.of('redis_degraded');
      assert.equal(degraded.at(-1)?.['reason'], 'no_permission');
      assert.ok(troubles(replica).length <= 4, JSON.stringify(troubles(replica)));
    });
  }
});
