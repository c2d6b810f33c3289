import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { workerFetches } from '../support/coordinated-fetches.js';
import { eventually } from '../support/eventually.js';
import { ask } from '../support/http-client.js';
import { attempt } from '../support/load.js';
import { placePath } from '../support/places.js';
import { freePort } from '../support/redis-server.js';
import { startStack } from '../support/stack.js';
import { connectTo } from '../support/use-redis.js';

describe('a worker that cannot take jobs although Redis is well', () => {
  it('failing worker: it says so, is unhealthy, and counts as none until it can', async (t) => {
    const port = await freePort();
    const stack = await startStack(t, { replicas: 1, workers: 0 });
    const worker = await stack.addWorker({ METRICS_PORT: String(port) });
    const health = async () => (await ask(`http://127.0.0.1:${port}/healthz`)).status;
    const redis = connectTo(t, stack.redis);
    await workerFetches(stack);
    assert.equal(await health(), 200);

    await redis.call('ACL', 'SETUSER', 'default', '-bzpopmin');
    const { err } = await worker.waitFor('worker_failing');
    assert.match(JSON.stringify(err), /NOPERM/);
    assert.equal(await health(), 503);
    let n = 0;
    await eventually(async () => {
      assert.equal((await attempt(stack.url(placePath((n += 1))))).status, 200);
      return stack.replicas[0]!.of('fetch').length > 0;
    }, 'a fetch by the replica');
    assert.deepEqual(worker.of('redis_unavailable'), []);

    await redis.call('ACL', 'SETUSER', 'default', '+bzpopmin');
    await eventually(async () => (await health()) === 200, 'health');
    // For 30 s after a job that no worker started, a replica fetches itself.
    await workerFetches(stack, {}, 60_000);
    assert.equal(worker.of('worker_failing').length, 1);
  });
});
