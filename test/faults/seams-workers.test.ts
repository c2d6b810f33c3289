import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { workerFetches } from '../support/agreed-fetches.js';
import { eventually } from '../support/eventually.js';
import { attempt } from '../support/load.js';
import { placePath } from '../support/places.js';
import { becomesReady } from '../support/readiness.js';
import { recordsFromNow, useStack } from '../support/shared-stack.js';
import type { Stack } from '../support/stack.js';
import { connectTo } from '../support/use-redis.js';

/** A worker that was counted on in vain costs a cold place this long. */
const PICK_UP_MS = 2000;

const queueOf = async (redis: Redis) =>
  (await redis.keys('*:fetches:meta'))[0]!.slice(0, -':meta'.length);

/** Repeats what the worker said last on the channel before it was killed, again and again. */
async function replaceByImpostor(t: TestContext, stack: Stack, redis: Redis): Promise<() => void> {
  const listener = redis.duplicate();
  let said: [channel: string, text: string] | undefined;
  listener.on('pmessage', (_pattern, channel: string, text: string) => {
    if (!text.includes('fetchId":"') || text.includes('"key":""')) said = [channel, text];
  });
  await listener.psubscribe('*');
  await eventually(() => said !== undefined, 'a greeting');
  listener.disconnect();
  const worker = stack.workers.at(-1)!;
  worker.kill('SIGKILL');
  await worker.exited;
  const [channel, text] = said!;
  const greetings = setInterval(() => {
    void redis.publish(channel, text);
  }, 400);
  const stop = () => {
    clearInterval(greetings);
  };
  t.after(stop);
  return stop;
}

describe('a worker that is counted on in vain', () => {
  const stackOf = useStack({ replicas: 2, workers: 1 });

  it('the only worker leaves in order: the next cold places get no job', async (t) => {
    const stack = stackOf();
    const redis = connectTo(t, stack.redis);
    await workerFetches(stack);
    const events = `${await queueOf(redis)}:events`;
    await stack.workers[0]!.stop();
    const before = await redis.xlen(events);
    for (const n of [1, 2, 3, 4]) {
      assert.equal((await attempt(stack.url(placePath(n)))).status, 200);
    }
    assert.equal(await redis.xlen(events), before, 'a job for a worker that has left');
  });

  it('a worker greets and does nothing: each replica waits for it once', async (t) => {
    const stack = stackOf();
    const redis = connectTo(t, stack.redis);
    await stack.addWorker();
    await workerFetches(stack);
    const told = recordsFromNow(stack.replicas);
    const stop = await replaceByImpostor(t, stack, redis);
    let waited = 0;
    for (let n = 11; n <= 50; n += 1) {
      const { status, ms } = await attempt(stack.url(placePath(n)));
      assert.equal(status, 200);
      if (ms >= PICK_UP_MS) waited += 1;
    }
    assert.ok(waited <= stack.replicas.length, `${waited} cold places waited`);
    assert.ok(told.of('worker_stalled').length <= stack.replicas.length);
    stop();
    // A worker that does its work is counted on again.
    await stack.addWorker();
    await workerFetches(stack);
  });

  it('a fetch was queued and its job is lost: who comes two seconds later runs it at once', async (t) => {
    const stack = stackOf();
    const redis = connectTo(t, stack.redis);
    const queue = await queueOf(redis);
    const [, late] = stack.replicas;
    await replaceByImpostor(t, stack, redis);
    let fastest = Infinity;
    // A busy machine may be slow once.
    for (let n = 61; n <= 63 && fastest >= PICK_UP_MS; n += 1) {
      const first = await stack.addReplica();
      await becomesReady(first);
      // It counts on the worker that greets.
      await sleep(1500);
      const lost = attempt(first.url + placePath(n));
      await eventually(async () => (await redis.llen(`${queue}:wait`)) > 0, 'a job');
      first.kill('SIGKILL');
      await lost;
      const ids = await redis.lrange(`${queue}:wait`, 0, -1);
      await redis.del(`${queue}:wait`, ...ids.map((id) => `${queue}:${id}`));
      await sleep(PICK_UP_MS + 500);
      const { status, ms } = await attempt(late!.url + placePath(n));
      assert.equal(status, 200);
      fastest = Math.min(fastest, ms);
    }
    assert.ok(fastest < PICK_UP_MS, `${fastest} ms`);
  });
});
