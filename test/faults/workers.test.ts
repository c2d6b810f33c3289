import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertMisses, coordinatedFetches, workerFetches } from '../support/coordinated-fetches.js';
import { eventually } from '../support/eventually.js';
import { ask } from '../support/http-client.js';
import { attempt, burst } from '../support/load.js';
import { placePath, requestKey } from '../support/places.js';
import { freePort } from '../support/redis-server.js';
import { useStack } from '../support/shared-stack.js';
import type { Stack } from '../support/stack.js';
import { PATHS } from '../support/stub-provider.js';
import { connectTo } from '../support/use-redis.js';

const TRACE_ID = 'a'.repeat(32);

/** Sends a request. Returns the response, its record, and all processes' records of its fetch. */
async function trace(stack: Stack, place: number, requestId: string) {
  const headers = { 'X-Request-ID': requestId, traceparent: `00-${TRACE_ID}-${'1'.repeat(16)}-01` };
  const reply = await attempt(stack.url(placePath(place)), { headers });
  const all = () => [...stack.replicas, ...stack.workers].flatMap(({ records }) => records);
  const request = () => all().find((record) => record['request_id'] === requestId);
  const cause = () =>
    all().filter(
      ({ event, fetch_id: id }) => id === request()?.['fetch_id'] && event !== 'weather_request',
    );
  await eventually(() => cause().some(({ event }) => event === 'fetch'), 'the record of a fetch');
  for (const record of [request()!, ...cause()]) {
    assert.deepEqual([record['key'], record['trace_id']], [requestKey(place), TRACE_ID]);
  }
  return { reply, request: request()!, cause: cause() };
}

describe('two replicas and a worker', () => {
  const stackOf = useStack({
    replicas: 2,
    workers: 1,
    env: { SHUTDOWN_TIMEOUT_MS: '20000' },
  });

  it('have a record of each request that leads to the fetch of a worker, and the trace reaches no provider', async () => {
    const stack = stackOf();
    await workerFetches(stack);
    const { cause } = await trace(stack, 1, 'miss');
    assert.deepEqual(
      cause.map(({ event, outcome }) => [event, outcome]),
      [['fetch', 'ok']],
    );
    assert.ok(stack.workers[0]!.records.includes(cause[0]!));
    assert.ok(!JSON.stringify(stack.upstream.calls).includes(TRACE_ID));
  });

  it('have a record of each request that leads to the failures of the providers', async () => {
    const stack = stackOf();
    stack.upstream.behaveAll({ kind: 'status', status: 500 });
    const { reply, request, cause } = await trace(stack, 2, 'failure');
    assert.equal(reply.status, 503);
    assert.match(
      (request['err'] as { message: string }).message,
      /open-meteo: server error \(status 500\); met-norway: server error \(status 500\)$/,
    );
    assert.deepEqual(
      cause.map(({ event, provider }) => [event, provider]),
      // The worker, and then the replica that waits.
      [1, 2].flatMap(() => [
        ['upstream_failed', 'open-meteo'],
        ['upstream_failed', 'met-norway'],
        ['fetch', undefined],
      ]),
    );
  });

  it('finish a job although the worker receives SIGTERM soon after an outage of Redis', async () => {
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

  it('answer although a worker is killed during a job: a replica replaces it', async () => {
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
