import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { Redis } from 'ioredis';
import {
  announce,
  listenForAnnouncements,
  type Announcement,
} from '../../../src/redis/fetching/announcements.js';
import { connect } from '../../../src/redis/client/connection.js';
import { plainRedisStore } from '../../support/plain-redis-store.js';
import { startRedis } from '../../support/redis-server.js';
import { startRelay } from '../../support/relay.js';
import { eventually } from '../../support/stack.js';

function listen(t: TestContext, url: string) {
  const announcements = listenForAnnouncements(
    connect({ kind: 'single', url }, 'subscriber', () => undefined),
  );
  t.after(() => {
    announcements.close();
  });
  return announcements;
}

function speaker(t: TestContext, url: string) {
  const redis = new Redis(url);
  t.after(() => {
    redis.disconnect();
  });
  return (announcement: Announcement) => announce(plainRedisStore(redis), announcement);
}

describe('announcements', () => {
  test('wake those who wait for the key, and only them', async (t) => {
    const redis = await startRedis();
    t.after(() => redis.stop());
    const announcements = listen(t, redis.url);
    const say = speaker(t, redis.url);
    const heard: string[] = [];
    announcements.onEach(({ key }) => heard.push(key));
    const [first, cancelled, second] = ['a', 'a', 'b'].map((key) => announcements.next(key));
    let woken = 0;
    for (const waiter of [cancelled!, second!]) {
      void waiter.announced.then(() => {
        woken += 1;
      });
    }
    cancelled!.cancel();
    await eventually(async () => {
      await say({ key: 'a', by: 'worker' });
      return heard.length > 0;
    }, 'the subscription');
    assert.deepEqual(await first!.announced, { key: 'a', by: 'worker' });
    assert.equal(woken, 0);
  });

  test('come again by themselves when the connection leads to a frozen Redis', async (t) => {
    const [frozen, next] = [await startRedis(), await startRedis()];
    t.after(() => Promise.all([frozen.stop(), next.stop()]));
    const relay = await startRelay(t, frozen.port);
    const announcements = listen(t, `redis://127.0.0.1:${relay.port}`);
    const heard: string[] = [];
    announcements.onEach(({ key }) => heard.push(key));
    const sayThere = speaker(t, frozen.url);
    await eventually(async () => {
      await sayThere({ key: 'before', by: 'worker' });
      return heard.includes('before');
    }, 'the subscription');

    await frozen.kill('SIGSTOP');
    relay.leadTo(next.port);
    const sayHere = speaker(t, next.url);
    await eventually(async () => {
      await sayHere({ key: 'after', by: 'worker' });
      return heard.includes('after');
    }, 'a subscription at the next Redis');
  });
});
