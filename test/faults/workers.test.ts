import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertMisses, coordinatedFetches, workerFetches } from '../support/coordinated-fetches.js';
import { eventually } from '../support/eventually.js';
import { ask } from '../support/http-client.js';
import { attempt, burst } from '../support/load.js';
import { placePath } from '../support/places.js';
import { freePort } from '../support/redis-server.js';
import { useStack } from '../support/shared-stack.js';
import { PATHS } from '../support/stub-provider.js';
import { connectTo } from '../support/use-redis.js';

describe('a worker', () => {
  const stackOf = useStack({
    replicas: 2,
    workers: 1,
    env: { SHUTDOWN_TIMEOUT_MS: '20000' },
  });

  it('that receives SIGTERM soon after an outage of Redis finishes its job', async () => {
    const stack = stackOf();
    await workerFetches(stack);
    stack.upstream.behave(PATHS.openMeteo, { kind: 'ok', delayMs: 5000, times: 1 });
    const reply = attempt(stack.url(placePath(12)));
    await eventually(() => coordinatedFetches(stack, 12) === 1, 'the fetch of the worker');
    await stack.redis.kill('SIGSTOP');
    await sleep(1200);
    await stack.redis.kill('SIGCONT');
    await sleep(2500);
    stack.workers[0]!.kill('SIGTERM');
    assertMisses(stack, [await reply]);
    assert.equal(stack.workers[0]!.of('fetch').at(-1)?.['outcome'], 'ok');
  });

  it('that is killed during a job is replaced by a replica', async () => {
    const stack = stackOf();
    const worker = await stack.addWorker();
    await workerFetches(stack);
    stack.upstream.behave(PATHS.openMeteo, { kind: 'hang', times: 1 });
    const replies = burst(Array.from({ length: 100 }, () => stack.url(placePath(11))));
    await eventually(() => coordinatedFetches(stack, 11) === 1, 'the fetch of the worker');
    worker.kill('SIGKILL');
    assertMisses(stack, await replies);
    assert.equal(coordinatedFetches(stack, 11), 2);
  });
});

describe('a worker that cannot take jobs although Redis is available', () => {
  const stackOf = useStack({ replicas: 1, workers: 0, redisRefuses: true });

  it('logs it and is unhealthy until it can, and its jobs are run by a replica', async (t) => {
    const port = await freePort();
    const stack = stackOf();
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

    await redis.call('ACL', 'SETUSER', 'default', '+bzpopmin');
    await eventually(async () => (await health()) === 200, 'health');
    assert.equal(worker.of('worker_failing').length, 1);
  });
});
