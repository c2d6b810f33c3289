import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertOneMiss, workerFetches } from '../support/agreed-fetches.js';
import { eventually } from '../support/eventually.js';
import { attempt, burst } from '../support/load.js';
import { placePath } from '../support/places.js';
import { becomesReady, readiness } from '../support/readiness.js';
import { freePort, startRedis } from '../support/redis-server.js';
import { recordsFromNow } from '../support/shared-stack.js';
import { hasRecovered } from '../support/slow-redis.js';
import { startProcesses } from '../support/stack.js';

const SECRET = 'right:p@ss/word';

describe('Redis comes after the service, and asks for another password', () => {
  it('late Redis: replicas serve without it, are not ready, and join when it comes', async (t) => {
    const port = await freePort();
    const env = { REDIS_URL: `redis://127.0.0.1:${port}` };
    const processes = await startProcesses(t, { replicas: 1, workers: 1, env });
    const lenient = await processes.addReplica({ READINESS_REQUIRES_REDIS: 'false' });
    for (const replica of processes.replicas) {
      // Also where Redis is optional later: the first contact tells that the address is right.
      const ready = await attempt(`${replica.url}/api/v1/health/ready`);
      const checks = { redis: 'down' };
      assert.deepEqual([ready.status, ready.json], [503, { status: 'not_ready', checks }]);
      assert.equal((await attempt(`${replica.url}/api/v1/health/live`)).status, 200);
      assert.equal((await attempt(replica.url + placePath(1))).status, 200);
    }

    const redis = await startRedis({ port });
    t.after(() => redis.stop());
    await Promise.all(processes.replicas.map((replica) => becomesReady(replica)));
    await workerFetches(processes);
    // The queue and the announcements came with it: one fetch for both replicas.
    const urls = Array.from({ length: 20 }, () => processes.url(placePath(2)));
    await assertOneMiss(processes, 2, await burst(urls));

    // Else what follows is the same outage.
    await eventually(() => processes.replicas.every(hasRecovered), 'the end of the first outage');
    // From now on it wants a password: whoever has none says why it cannot use it.
    const told = recordsFromNow(processes.replicas);
    await redis.kill('SIGKILL');
    for (const { reason, detail } of await told.each('redis_unavailable')) {
      assert.deepEqual([reason, detail], ['no_connection', 'ECONNREFUSED']);
    }
    const guarded = await startRedis({ port, args: ['--requirepass', SECRET] });
    t.after(() => guarded.stop());
    for (const { reason, before } of await told.each('redis_reason_changed')) {
      assert.deepEqual([reason, before], ['wrong_password', 'no_connection']);
    }
    const [strict] = processes.replicas;
    assert.deepEqual([await readiness(strict!), await readiness(lenient)], [503, 200]);

    const password = encodeURIComponent(SECRET);
    const good = await processes.addReplica({
      REDIS_URL: `redis://:${password}@127.0.0.1:${port}`,
    });
    await becomesReady(good);
    const answers = [
      await attempt(good.url + placePath(3)),
      await attempt(good.url + placePath(3)),
    ];
    assert.deepEqual(
      answers.map(({ headers }) => headers['x-cache']),
      ['MISS', 'HIT'],
    );
    const logged = JSON.stringify(processes.replicas.map(({ records }) => records));
    assert.ok(!logged.includes(SECRET) && !logged.includes(password), 'a password was logged');
  });
});
