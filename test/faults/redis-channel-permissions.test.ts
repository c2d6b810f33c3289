import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../support/eventually.js';
import { coordinatedFetches } from '../support/coordinated-fetches.js';
import { assertOutcomes, attempt, burst } from '../support/load.js';
import { placePath } from '../support/places.js';
import { becomesReady, readiness } from '../support/readiness.js';
import { startRedis } from '../support/redis-server.js';
import { startProcesses } from '../support/stack.js';
import { PATHS } from '../support/stub-provider.js';
import { connectTo } from '../support/use-redis.js';

describe('a Redis user who may use no channel', () => {
  it('the message of Redis is logged, places are fetched once, and replicas are ready', async (t) => {
    const redis = await startRedis();
    const admin = connectTo(t, redis);
    await admin.call('ACL', 'SETUSER', 'app', 'on', '>secret', '~*', '+@all', 'resetchannels');
    const stack = await startProcesses(t, {
      ...{ replicas: 2, workers: 1, store: redis, redisRefuses: true },
      env: { REDIS_URL: redis.url.replace('//', '//app:secret@') },
    });
    const all = [...stack.replicas, ...stack.workers];
    await Promise.all(stack.replicas.map((replica) => becomesReady(replica)));
    for (let n = 1; n <= 10; n += 1) {
      assert.equal((await attempt(stack.url(placePath(n)))).status, 200);
    }
    stack.upstream.behave(PATHS.openMeteo, { kind: 'ok', delayMs: 500 });
    const crowd = await burst(Array.from({ length: 60 }, () => stack.url(placePath(20))));
    assertOutcomes(crowd);
    assert.equal(coordinatedFetches(stack, 20), 1);
    await sleep(5000);
    for (const one of all) {
      const [refused] = one.of('redis_error');
      assert.match(String(refused?.['message']), /channel/);
      const loud = one.records.filter(({ level }) => level !== 'INFO' && level !== 'DEBUG');
      assert.ok(loud.length <= 2, JSON.stringify(loud));
    }
    for (const replica of stack.replicas) assert.equal(await readiness(replica), 200);

    // Granted while they run: the worker takes jobs.
    await admin.call('ACL', 'SETUSER', 'app', 'allchannels');
    stack.upstream.behave(PATHS.openMeteo);
    let next = 100;
    await eventually(async () => {
      await attempt(stack.url(placePath((next += 1))));
      return stack.workers[0]!.of('fetch').length > 0;
    }, 'a fetch by the worker');
  });
});

describe('a Redis user who may not subscribe', () => {
  it('the message of Redis names the command', async (t) => {
    const redis = await startRedis();
    const admin = connectTo(t, redis);
    const rules = ['~*', '&*', '+@all', '-subscribe'];
    await admin.call('ACL', 'SETUSER', 'app', 'on', '>secret', ...rules);
    const { replicas } = await startProcesses(t, {
      ...{ replicas: 1, workers: 0, store: redis, redisRefuses: true },
      env: { REDIS_URL: redis.url.replace('//', '//app:secret@') },
    });
    const record = await replicas[0]!.waitFor('redis_error');
    assert.match(String(record['message']), /'subscribe'/);
  });
});
