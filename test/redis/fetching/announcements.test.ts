import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { Redis } from 'ioredis';
import { systemClock } from '../../../src/process/clock.js';
import { listenForAnnouncements, type Heard } from '../../../src/redis/fetching/announcements.js';
import { createGreet } from '../../../src/redis/fetching/workers.js';
import { entryText } from '../../../src/redis/fetching/entry.js';
import { cachedNow } from '../../../src/weather/cache.js';
import { connect } from '../../../src/redis/client/connection.js';
import { eventually } from '../../support/eventually.js';
import { plainRedisStore } from '../../support/plain-redis-store.js';
import { startRedis } from '../../support/redis-server.js';
import { names } from '../../support/names.js';
import { startRelay } from '../../support/relay.js';
import { useRedis } from '../../support/use-redis.js';

function listen(t: TestContext, url: string) {
  const announcements = listenForAnnouncements(connect({ kind: 'single', url }, 'subscriber'), {
    clock: systemClock,
    names,
    store: {
      report(message) {
        throw new Error(message);
      },
    },
  });
  t.after(() => {
    announcements.close();
  });
  const said: Heard[] = [];
  announcements.onWorkers((heard) => said.push(heard));
  return Object.assign(announcements, { said });
}

/** Publishes the announcement of a key's fetch, or any other text. */
function speaker(t: TestContext, url: string) {
  const redis = new Redis(url);
  t.after(() => {
    redis.disconnect();
  });
  const publish = (text: string) => redis.publish(names.announcements, text);
  return {
    publish,
    say: (key: string) => publish(JSON.stringify({ key, fetchId: 'f', by: 'worker' })),
  };
}

describe('announcements', () => {
  const redis = useRedis();

  it('reach those who listen for the key, and only them', async (t) => {
    const announcements = listen(t, redis.url);
    const { say } = speaker(t, redis.url);
    const heard: string[] = [];
    announcements.onEach(({ key }) => heard.push(key));
    const [first, stopped, other] = ['a', 'a', 'b'].map((key) => announcements.listen(key));
    stopped!.stop();
    await eventually(async () => {
      await say('a');
      return heard.length > 0;
    }, 'the subscription');
    const signal = new AbortController().signal;
    assert.equal((await first!.next(1000, signal))?.fetchId, 'f');
    assert.equal(await stopped!.next(1, signal), undefined);
    assert.equal(await other!.next(1, signal), undefined);
  });

  it('wait for a listener that is busy, and come in order', async (t) => {
    const announcements = listen(t, redis.url);
    const { say, publish } = speaker(t, redis.url);
    await eventually(() => announcements.said.includes('messages'), 'the subscription');
    const listening = announcements.listen('a');
    const heard: string[] = [];
    announcements.onEach(({ key }) => heard.push(key));
    await publish(JSON.stringify({ key: 'a', fetchId: 'first', by: 'replica' }));
    await say('a');
    await eventually(() => heard.length === 2, 'both');
    const signal = new AbortController().signal;
    const told = [await listening.next(1, signal), await listening.next(1, signal)];
    assert.deepEqual(
      told.map((one) => one?.fetchId),
      ['first', 'f'],
    );
  });

  it('end the wait of a caller that leaves', async (t) => {
    const listening = listen(t, redis.url).listen('a');
    const caller = new AbortController();
    const waiting = listening.next(60_000, caller.signal);
    caller.abort(new Error('left'));
    await assert.rejects(waiting, /left/);
    await assert.rejects(listening.next(1, caller.signal), /left/);
  });

  it('tell when a worker greeted, and that it has left', async (t) => {
    const announcements = listen(t, redis.url);
    const { publish } = speaker(t, redis.url);
    const store = plainRedisStore(new Redis(redis.url));
    t.after(() => {
      store.client.disconnect();
    });
    const greet = createGreet(store, names);
    await eventually(() => announcements.said.includes('messages'), 'the subscription');
    await greet('here');
    await publish('{"worker":"leaving ","key":""}');
    await greet('leaving');
    await eventually(() => announcements.said.length === 3, 'both');
    assert.deepEqual(announcements.said, ['messages', 'here', 'leaving']);
  });

  it('wait no longer than what is waited for beside them', async (t) => {
    const listening = listen(t, redis.url).listen('a');
    const signal = new AbortController().signal;
    assert.equal(await listening.next(Promise.resolve(), signal), undefined);
    assert.equal(await listening.next(Promise.reject(new Error('x')), signal), undefined);
    const told = { key: 'a', fetchId: 'f', by: 'replica' } as const;
    const waiting = listening.next(new Promise(() => undefined), signal);
    listening.tell(told);
    assert.deepEqual(await waiting, told);
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

  it('bring an entry also when it is not kept', async (t) => {
    const announcements = listen(t, redis.url);
    await eventually(() => announcements.said.includes('messages'), 'the subscription');
    const key = 'place:nowhere';
    const listening = announcements.listen(key);
    const value = { kind: 'geocode', point: null, provider: 'p' } as const;
    const entry = entryText(cachedNow(value, { freshMs: 0, staleMs: 0 }, 0, 'f'));
    const head = JSON.stringify({ key, fetchId: 'f', by: 'worker' });
    await speaker(t, redis.url).publish(`${head}\n-1\n${entry}`);
    const told = await listening.next(10_000, new AbortController().signal);
    assert.deepEqual(told?.entry?.value, value);
  });

  it('ignore a message that is no announcement', async (t) => {
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
      await publish('{"key":"k","fetchId":"f","by":"worker"}\nx\n1 {"value":null}');
      await publish('{"key":"k","fetchId":"f","by":"worker","failure":7}\n0\n');
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
