import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertMisses, workerFetches } from '../support/coordinated-fetches.js';
import { eventually } from '../support/eventually.js';
import { attempt, burst } from '../support/load.js';
import { placePath } from '../support/places.js';
import { becomesReady, readiness } from '../support/readiness.js';
import { freePort, startRedis } from '../support/redis-server.js';
import { recordsFromNow } from '../support/shared-stack.js';
import type { LogRecord } from '../support/service.js';
import { hasRecovered } from '../support/slow-redis.js';
import { startProcesses } from '../support/stack.js';

const SECRET = 'right:p@ss/word';

describe('Redis starts after the service, and then requires a password', () => {
  it('replicas serve without it, are not ready, join when it starts, and log why they cannot use it', async (t) => {
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
    assertMisses(processes, await burst(urls));

    // Otherwise what follows is the same outage.
    await eventually(() => processes.replicas.every(hasRecovered), 'the end of the first outage');
    // From now on it requires a password.
    const told = recordsFromNow(processes.replicas);
    await redis.kill('SIGKILL');
    const guarded = await startRedis({ port, args: ['--requirepass', SECRET] });
    t.after(() => guarded.stop());
    const isOfPassword = ({ reason }: LogRecord) => reason === 'authentication';
    for (const { message } of await told.each('redis_unavailable', isOfPassword)) {
      assert.match(String(message), /^NOAUTH /);
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
