import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertOneMiss, workerFetches } from '../support/agreed-fetches.js';
import { attempt, burst } from '../support/load.js';
import { placePath } from '../support/places.js';
import { becomesReady, readiness } from '../support/readiness.js';
import { freePort, startRedis } from '../support/redis-server.js';
import { startProcesses, startStack } from '../support/stack.js';

describe('Redis is dead when the service starts', () => {
  it('replicas serve, are not ready, and join when it comes', async (t) => {
    const port = await freePort();
    const env = { REDIS_URL: `redis://127.0.0.1:${port}` };
    const processes = await startProcesses(t, { replicas: 2, workers: 1, env });
    for (const replica of processes.replicas) {
      assert.equal(await readiness(replica), 503);
      assert.equal((await attempt(`${replica.url}/api/v1/health/live`)).status, 200);
      assert.equal((await attempt(replica.url + placePath(1))).status, 200);
    }

    const redis = await startRedis({ port });
    t.after(() => redis.stop());
    await Promise.all(processes.replicas.map((replica) => becomesReady(replica, 5000)));
    await workerFetches(processes);
    // The queue and the announcements came with it: one fetch for both replicas.
    const urls = Array.from({ length: 20 }, () => processes.url(placePath(2)));
    assertOneMiss(processes, 2, await burst(urls));
  });
});

describe('one replica has the wrong password', () => {
  it('never becomes ready and says why; the others serve', async (t) => {
    const secret = 'right:p@ss/word';
    const password = encodeURIComponent(secret);
    const stack = await startStack(t, {
      replicas: 0,
      workers: 0,
      redis: { args: ['--requirepass', secret] },
    });
    const at = (given: string) => ({
      REDIS_URL: `redis://:${given}@127.0.0.1:${stack.redis.port}`,
    });
    const good = await stack.addReplica(at(password));
    const bad = await stack.addReplica(at('wrong'));
    await stack.addWorker(at(password));
    await becomesReady(good);

    const until = Date.now() + 3000;
    while (Date.now() < until) {
      assert.equal(await readiness(bad), 503);
      await sleep(100);
    }
    assert.equal((await attempt(good.url + placePath(1))).headers['x-cache'], 'MISS');
    assert.equal((await attempt(good.url + placePath(1))).headers['x-cache'], 'HIT');
    assert.equal((await attempt(bad.url + placePath(2))).status, 200);
    assert.equal(bad.of('redis_degraded')[0]?.['reason'], 'wrong_password');
    const logged = JSON.stringify([...good.records, ...bad.records]);
    assert.ok(!logged.includes(secret) && !logged.includes(password), 'a password was logged');
  });

  it('says so also when the password came to Redis during an outage', async (t) => {
    const stack = await startStack(t, { replicas: 1, workers: 0 });
    const replica = stack.replicas[0]!;
    await becomesReady(replica);
    await stack.redis.kill('SIGKILL');
    const { reason, detail } = await replica.waitFor('redis_degraded');
    assert.deepEqual([reason, detail], ['no_connection', 'ECONNREFUSED']);
    const { port } = stack.redis;
    const guarded = await startRedis({ port, args: ['--requirepass', 'new'] });
    t.after(() => guarded.stop());
    const changed = await replica.waitFor('redis_reason_changed');
    assert.deepEqual([changed['reason'], changed['before']], ['wrong_password', 'no_connection']);
  });
});
