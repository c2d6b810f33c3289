import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { Redis } from 'ioredis';
import { systemClock } from '../../../src/process/clock.js';
import { listenForAnnouncements } from '../../../src/redis/fetching/announcements.js';
import { connect } from '../../../src/redis/client/connection.js';
import { eventually } from '../../support/eventually.js';
import { startRedis } from '../../support/redis-server.js';
import { startRelay } from '../../support/relay.js';

function listen(t: TestContext, url: string) {
  const announcements = listenForAnnouncements(
    connect({ kind: 'single', url }, 'subscriber'),
    systemClock,
  );
  t.after(() => {
    announcements.close();
  });
  return announcements;
}

/** Publishes the announcement of a key's fetch, or any other text. */
function speaker(t: TestContext, url: string) {
  const redis = new Redis(url);
  t.after(() => {
    redis.disconnect();
  });
  const publish = (text: string) => redis.publish('weather:fetched', text);
  return {
    publish,
    say: (key: string) => publish(JSON.stringify({ key, fetchId: 'f', by: 'worker' })),
  };
}

describe('announcements', () => {
  it('reach those who listen for the key, and only them', async (t) => {
    const redis = await startRedis();
    t.after(() => redis.stop());
    const announcements = listen(t, redis.url);
    const { say } = speaker(t, redis.url);
    const heard: string[] = [];
    const told: string[] = [];
    announcements.onEach(({ key }) => heard.push(key));
    announcements.listen('a', ({ fetchId }) => told.push(`first ${fetchId}`));
    announcements.listen('a', () => told.push('cancelled'))();
    announcements.listen('b', () => told.push('other key'));
    await eventually(async () => {
      await say('a');
      return heard.length > 0;
    }, 'the subscription');
    assert.deepEqual([...new Set(told)], ['first f']);
  });

  it('come again by themselves when the connection leads to a frozen Redis', async (t) => {
    const [frozen, next] = [await startRedis(), await startRedis()];
    t.after(() => Promise.all([frozen.stop(), next.stop()]));
    const relay = await startRelay(t, frozen.port);
    const announcements = listen(t, `redis://127.0.0.1:${relay.port}`);
    const heard: string[] = [];
    announcements.onEach(({ key }) => heard.push(key));
    const there = speaker(t, frozen.url);
    await eventually(async () => {
      await there.say('before');
      return heard.includes('before');
    }, 'the subscription');

    await frozen.kill('SIGSTOP');
    relay.leadTo(next.port);
    const here = speaker(t, next.url);
    await eventually(async () => {
      await here.say('after');
      return heard.includes('after');
    }, 'a subscription at the next Redis');
  });

  it('ignore a message that is no announcement', async (t) => {
    const redis = await startRedis();
    t.after(() => redis.stop());
    const announcements = listen(t, redis.url);
    const { say, publish } = speaker(t, redis.url);
    const heard = new Map<string, unknown>();
    announcements.onEach((announcement) => heard.set(announcement.key, announcement));
    const garbage = [
      'not JSON',
      '',
      'null',
      '[1]',
      '{"key":1,"fetchId":"f","by":"worker"}',
      '{"key":"k","fetchId":"f","by":"nobody"}',
    ];
    await eventually(async () => {
      for (const text of garbage) await publish(text);
      await publish('{"key":"k","fetchId":"f","by":"worker","failure":7}\nx\n1 y {"value":null}');
      await say('end');
      return heard.has('end');
    }, 'the subscription');
    const nothing = { entry: undefined, failure: undefined };
    assert.deepEqual(
      [...heard.values()],
      [
        { key: 'k', fetchId: 'f', by: 'worker', ...nothing },
        { key: 'end', fetchId: 'f', by: 'worker', ...nothing },
      ],
    );
  });
});
