import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { Redis } from 'ioredis';
import { createMemoryAnswers } from '../../src/memory/answers.js';
import type { AnswerStore } from '../../src/providers/answers.js';
import { createNames } from '../../src/redis/names.js';
import { createRedisAnswers } from '../../src/redis/answers.js';
import { manualClock } from '../support/manual-clock.js';
import { plainRedisStore } from '../support/plain-redis-store.js';
import { startRedis } from '../support/redis-server.js';
import { passForKeys, useRedis } from '../support/use-redis.js';
import { answersContract } from './answers.contract.js';

const NAMES = createNames('weather', 0);

/** Keeps nothing: what is told comes from Redis alone. */
const nothing: AnswerStore = {
  get: () => Promise.resolve(undefined),
  set: () => Promise.resolve(),
};
const EMPTY = { entries: [], lastModified: undefined, freshMs: 1 };

answersContract('memory', () => {
  const clock = manualClock();
  return {
    answers: createMemoryAnswers({ clock, maxEntries: 10 }),
    advance(ms) {
      clock.advance(ms);
      return Promise.resolve();
    },
  };
});

describe('answers in memory', () => {
  it('never keeps more than its bound', async () => {
    const answers = createMemoryAnswers({ clock: manualClock(), maxEntries: 10 });
    for (let key = 0; key < 11; key += 1) await answers.set(String(key), EMPTY, 60_000);
    assert.equal(await answers.get('0'), undefined);
    assert.notEqual(await answers.get('10'), undefined);
  });
});

describe('with a Redis', () => {
  const redis = useRedis();

  answersContract('Redis', () => ({
    answers: createRedisAnswers(plainRedisStore(redis.client), NAMES, nothing),
    advance: (ms) => passForKeys(redis.client, ms),
  }));

  it('takes garbage for nothing', async () => {
    const answers = createRedisAnswers(plainRedisStore(redis.client), NAMES, nothing);
    const key = NAMES.kept('garbage');
    for (const garbage of [
      'x',
      'null',
      '[]',
      '{"entries":[{}],"freshMs":1,"ttlMs":1}',
      '{"entries":[]}',
      '{"entries":[],"lastModified":"yesterday","freshMs":1,"ttlMs":60000}',
      '{"entries":[],"lastModified":"東","freshMs":1,"ttlMs":60000}',
      '{"entries":[],"lastModified":"Sat, 21 Nov 2026 00:36:49 GMT\\r\\nX: y","freshMs":1,"ttlMs":60000}',
      '{"entries":[],"lastModified":7,"freshMs":1,"ttlMs":60000}',
      '{"entries":[],"freshMs":1,"ttlMs":60000}',
      '{"entries":[],"lastModified":null,"freshMs":"1","ttlMs":60000}',
      '{"entries":[],"lastModified":null,"freshMs":1e999,"ttlMs":60000}',
      '{"entries":[],"lastModified":null,"freshMs":1,"ttlMs":null}',
    ]) {
      await redis.client.set(key, garbage, 'PX', 60_000);
      assert.equal(await answers.get('garbage'), undefined, garbage);
    }
    // An answer that never ends has no age.
    const sound = '{"entries":[],"lastModified":null,"freshMs":1,"ttlMs":60000}';
    await redis.client.set(key, sound);
    assert.equal(await answers.get('garbage'), undefined);
    await redis.client.set(key, sound, 'PX', 60_000);
    assert.notEqual(await answers.get('garbage'), undefined);
    await redis.client.multi().del(key).rpush(key, 'x').exec();
    assert.equal(await answers.get('garbage'), undefined);
  });

  it('has what this process learnt, while Redis is unavailable and when that knows less', async () => {
    const server = await startRedis();
    const connection = new Redis(server.url, { enableOfflineQueue: false, retryStrategy: null });
    connection.on('error', () => undefined);
    await once(connection, 'ready');
    const own = createMemoryAnswers({ clock: manualClock(), maxEntries: 10 });
    const answers = createRedisAnswers(plainRedisStore(connection), NAMES, own);
    const freshMs = async () => (await answers.get('key'))?.freshMs ?? 0;
    await answers.set('key', { ...EMPTY, freshMs: 20_000 }, 60_000);
    const other = createRedisAnswers(plainRedisStore(connection), NAMES, nothing);
    await other.set('key', { ...EMPTY, freshMs: 10_000 }, 60_000);
    assert.equal(await freshMs(), 20_000);
    await other.set('key', { ...EMPTY, freshMs: 30_000 }, 60_000);
    assert.ok((await freshMs()) > 20_000);

    await server.kill('SIGKILL');
    assert.equal(await freshMs(), 20_000);
    await answers.set('key', { ...EMPTY, freshMs: 40_000 }, 60_000);
    assert.equal(await freshMs(), 40_000);
    assert.equal(await answers.get('other'), undefined);
    connection.disconnect();
    await server.stop();
  });
});
