import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { StoreUnavailableError } from '../../../src/base/errors.js';
import type { RedisClient } from '../../../src/redis/client/connection.js';
import { NoReplyError } from '../../../src/redis/client/redis-errors.js';
import { readScript, replyOf } from '../../../src/redis/client/script.js';
import { PATIENT_MS } from '../../../src/redis/client/timing.js';
import { eventually } from '../../support/eventually.js';
import { guardedRedis } from '../../support/guarded-redis.js';
import { manualClock } from '../../support/manual-clock.js';
import { startRelay } from '../../support/relay.js';
import { recordingLog } from '../../support/records.js';
import { useRedis } from '../../support/use-redis.js';

const redis = useRedis();

/** Connects to Redis with a relay in between. */
async function relayedRedis(t: TestContext) {
  const relay = await startRelay(t, Number(new URL(redis.url).port));
  return { relay, guarded: await guardedRedis(t, `redis://127.0.0.1:${relay.port}`) };
}

describe('a client that has stopped reconnecting', () => {
  it('is connected again', async (t) => {
    const guarded = await guardedRedis(t, redis.url);
    const { client } = guarded;
    // The library does this after a failed reconnection.
    client.disconnect();
    await once(client, 'end');
    await eventually(() => client.status === 'ready', 'another connection');
    await eventually(() => guarded.isWritable(), 'its use');
  });
});

describe('the commands of one event loop iteration', () => {
  it('are written together at its end', async (t) => {
    const { client, command } = await guardedRedis(t, redis.url);
    const { stream } = client as Redis;
    for (const texts of [['one'], ['two', 'three', 'four']]) {
      const replies = texts.map((text) => command(() => client.echo(text)));
      assert.equal(stream.writableCorked, 1);
      assert.deepEqual(await Promise.all(replies), texts);
      assert.equal(stream.writableCorked, 0);
    }
  });
});

describe('patient commands', () => {
  it('wait for replies that are late once, over the same connection', async (t) => {
    const { relay, guarded } = await relayedRedis(t);
    relay.delayBy(500);
    const replies: Promise<string>[] = [];
    for (let n = 0; n < 20; n += 1) {
      replies.push(guarded.command(() => guarded.client.echo('reply'), PATIENT_MS));
      await sleep(10);
    }
    relay.delayBy(0);
    assert.deepEqual(new Set(await Promise.all(replies)), new Set(['reply']));
    assert.equal(relay.accepted(), 1);
  });

  it('are sent again after their connection is lost', async (t) => {
    const { relay, guarded } = await relayedRedis(t);
    relay.hold();
    const reply = guarded.command(() => guarded.client.echo('reply'), PATIENT_MS);
    await sleep(50);
    relay.cut();
    relay.mend();
    assert.equal(await reply, 'reply');
  });

  it('are sent again while Redis rejects them because of its state, if 150 ms of one second remain', async (t) => {
    for (const [tookMs, attempts, message] of [
      [425, 2, 'LOADING Redis is loading'],
      [424.5, 3, 'LOADING Redis is loading'],
      [424.5, 3, 'READONLY You cannot write against a read only replica'],
      [424.5, 3, 'OOM command not allowed'],
    ] as const) {
      const clock = manualClock();
      const guarded = await guardedRedis(t, redis.url, { clock });
      let sent = 0;
      const command = (client: RedisClient) => {
        sent += 1;
        clock.advance(tookMs);
        return client.eval('return redis.error_reply(ARGV[1])', 0, message);
      };
      await assert.rejects(
        guarded.command(() => command(guarded.client), PATIENT_MS),
        StoreUnavailableError,
      );
      assert.equal(sent, attempts);
    }
  });

  it('fail after a second without a reply', async (t) => {
    const { relay, guarded } = await relayedRedis(t);
    relay.hold();
    const began = performance.now();
    const reply = guarded.command(() => guarded.client.echo('reply'), PATIENT_MS);
    await assert.rejects(reply, StoreUnavailableError);
    assert.ok(performance.now() - began >= 850);
  });

  for (const [what, command] of [
    ['rejects them', 'return redis.call("NOSUCHCOMMAND")'],
    ['forbids them', 'return redis.error_reply("NOPERM no permissions")'],
  ] as const) {
    it(`fail at once if Redis ${what}`, async (t) => {
      const guarded = await guardedRedis(t, redis.url);
      let sent = 0;
      const reply = guarded.command(() => {
        sent += 1;
        return guarded.client.eval(command, 0);
      }, PATIENT_MS);
      await assert.rejects(reply, StoreUnavailableError);
      assert.equal(sent, 1);
    });
  }
});

describe('a command without a reply', () => {
  it('waits 250 ms, and later commands fail at once until the replies arrive', async (t) => {
    const { relay, guarded } = await relayedRedis(t);
    let sent = 0;
    const echo = () =>
      guarded.command(() => {
        sent += 1;
        return guarded.client.echo('reply');
      });
    relay.hold();
    await assert.rejects(echo(), NoReplyError);
    for (let n = 0; n < 10; n += 1) await assert.rejects(echo(), StoreUnavailableError);
    assert.equal(sent, 1);
    relay.release();
    await eventually(() => guarded.isWritable(), 'the use of Redis');
    assert.equal(await echo(), 'reply');
    assert.equal(relay.accepted(), 1);
  });

  it('fails at once if its connection is lost, and is not sent again', async (t) => {
    const guarded = await guardedRedis(t, redis.url);
    const reply = guarded.command(() => {
      const counting = guarded.client.incr('count');
      (guarded.client as Redis).stream.destroy();
      return counting;
    });
    await assert.rejects(reply, NoReplyError);
    await eventually(() => guarded.isWritable(), 'another connection');
    // It may have been sent before.
    assert.ok(Number(await guarded.client.get('count')) <= 1);
  });
});

describe('a reply to a script that is not its own', () => {
  const isText = replyOf('string');
  const ECHO = 'return {ARGV[#ARGV], ARGV[1]}';

  it('is never returned, and ends the connection', async (t) => {
    const { relay, guarded } = await relayedRedis(t);
    const echo = guarded.script('echo', ECHO, isText);
    assert.deepEqual(await echo(['key'], ['a']), ['a']);
    let isDoubled = false;
    relay.tamperBy((bytes) => {
      const doubled = isDoubled || !bytes.includes('first') ? [bytes] : [bytes, bytes];
      isDoubled ||= doubled.length > 1;
      return doubled;
    });
    assert.deepEqual(await echo(['key'], ['first']), ['first']);
    const texts = Array.from({ length: 5 }, (_, n) => `text ${n}`);
    const replies = await Promise.allSettled(texts.map((text) => echo(['key'], [text])));
    for (const [n, reply] of replies.entries()) {
      if (reply.status === 'rejected') assert.ok(reply.reason instanceof StoreUnavailableError);
      else assert.deepEqual(reply.value, [texts[n]]);
    }
    await eventually(() => relay.accepted() === 2, 'another connection');
    await eventually(() => guarded.isWritable(), 'its use');
    assert.deepEqual(await echo(['key'], ['b']), ['b']);
  });

  for (const [what, lua] of [
    ['is no list', "return 'OK'"],
    ['is empty', 'return {}'],
    ['has the number of another call', "return {'0', ARGV[1]}"],
    ['has too few elements', 'return {ARGV[#ARGV]}'],
    ['has too many elements', "return {ARGV[#ARGV], 'a', 'b'}"],
    ['has an element of another type', 'return {ARGV[#ARGV], 1}'],
  ] as const) {
    it(`is an outage if it ${what}`, async (t) => {
      const guarded = await guardedRedis(t, redis.url);
      const script = guarded.script(what, lua, isText);
      const ended = once(guarded.client, 'close');
      await assert.rejects(script(['key'], ['a']), NoReplyError);
      await ended;
    });
  }
});

it('logs a fault of code in a command, which then counts as one without a reply', async (t) => {
  const { log, records } = recordingLog();
  const guarded = await guardedRedis(t, redis.url, { log });
  const command = () => Promise.reject(new TypeError('undefined is not a function'));
  await assert.rejects(guarded.command(command), NoReplyError);
  assert.deepEqual(
    records.filter(({ event }) => event === 'redis_error').map(({ message }) => message),
    ['undefined is not a function'],
  );
});

it('a key of another type under the name of the health check leaves a full Redis available for reads', async (t) => {
  t.after(() => redis.client.config('SET', 'maxmemory', '0'));
  await redis.client.rpush('list', 'x');
  await redis.client.config('SET', 'maxmemory', '1');
  const [token, rejection] = (await redis.client.eval(
    readScript('health-check'),
    1,
    'list',
    1000,
    'token',
  )) as string[];
  assert.equal(token, 'token');
  assert.match(rejection!, /^OOM /);
});
