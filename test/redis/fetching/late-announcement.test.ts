import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Redis } from 'ioredis';
import { requestKey, weatherRequest } from '../../../src/weather/request.js';
import { eventually } from '../../support/eventually.js';
import { names } from '../../support/names.js';
import { startRedis } from '../../support/redis-server.js';
import { scope } from '../../support/scope.js';
import { startMember, type Member } from './members/member.js';
import { createChecker, serialIn } from './members/checker.js';

const request = weatherRequest({ latitude: 48, longitude: 11 });
const FETCH_MS = 600;

/** Asks, and joins or begins a fetch. The end tells which fetch brought it, counted from 1. */
async function join({ queue }: Member): Promise<{ end: Promise<number> }> {
  const asked = await queue.ask(request, scope(), true);
  assert.equal(asked.kind, 'fetch');
  return { end: asked.end.then(({ entry }) => serialIn(entry.value.provider)) };
}

describe('a waiter', () => {
  it('does not take the late message of an earlier fetch for the end of its own', async (t) => {
    const server = await startRedis();
    const redis = new Redis(server.url);
    const checker = await createChecker(server.url);
    const start = (name: string) =>
      startMember({
        ...{ name, port: server.port, isWorker: false, checker },
        behaviourOf: () => ({ afterMs: FETCH_MS, fails: false }),
      });
    const [runner, waiter] = await Promise.all([start('runner'), start('waiter')]);
    t.after(async () => {
      await Promise.all([runner.close(), waiter.close()]);
      checker.close();
      redis.disconnect();
      await server.stop();
    });
    await eventually(async () => {
      const [, listeners] = (await redis.call(
        'PUBSUB',
        'NUMSUB',
        names.announcements,
      )) as unknown[];
      return listeners === 3;
    }, 'all subscriptions');

    waiter.subscriber.hold();
    const [first, joined] = [await join(runner), await join(waiter)];
    assert.deepEqual(await Promise.all([first.end, joined.end]), [1, 1]);
    await redis.del(names.entry(requestKey(request)));

    const [second, joinedToo] = [await join(runner), await join(waiter)];
    waiter.subscriber.release();
    assert.deepEqual(await Promise.all([second.end, joinedToo.end]), [2, 2]);
  });
});
