import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Redis } from 'ioredis';
import { createMemoryAnswers } from '../../src/memory/answers.js';
import type { AnswerStore } from '../../src/providers/answers.js';
import { createRedisAnswers } from '../../src/redis/answers.js';
import { manualClock } from '../support/manual-clock.js';
import { plainRedisStore } from '../support/plain-redis-store.js';
import { startRedis, type RedisServer } from '../support/redis-server.js';
import { answersContract } from './answers.contract.js';

const EMPTY = { entries: [], lastModified: undefined, freshMs: 1 };

/** Of a process that kept nothing itself. */
const none: AnswerStore = {
  get: () => Promise.resolve(undefined),
  set: () => Promise.resolve(),
};

answersContract('memory', () => {
  const clock = manualClock();
  return {
    answers: createMemoryAnswers({ clock, maxEntries: 10 }),
    advance(_key, ms) {
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
  let server: RedisServer;
  let client: Redis;
  before(async () => {
    server = await startRedis();
    client = new Redis(server.url);
  });
  after(async () => {
    client.disconnect();
    await server.stop();
  });

  answersContract('Redis', () => ({
    answers: createRedisAnswers(plainRedisStore(client), none),
    async advance(key, ms) {
      // Redis's clock cannot be set: the key's end is brought nearer instead.
      const redisKey = `weather:answer:${key}`;
      await client.pexpire(redisKey, Math.max(0, (await client.pttl(redisKey)) - ms));
    },
  }));

  it('has what this process kept while Redis is unavailable', async () => {
    const away = await startRedis();
    const broken = new Redis(away.url, { enableOfflineQueue: false, maxRetriesPerRequest: 0 });
    broken.on('error', () => undefined);
    const clock = manualClock();
    const own = createMemoryAnswers({ clock, maxEntries: 10 });
    const answers = createRedisAnswers(plainRedisStore(broken), own);
    await away.kill('SIGKILL');
    await answers.set('key', { ...EMPTY, freshMs: 30_000 }, 60_000);
    clock.advance(10_000);
    assert.deepEqual(await answers.get('key'), { ...EMPTY, freshMs: 20_000, ageMs: 10_000 });
    assert.equal(await answers.get('other'), undefined);
    broken.disconnect();
    await away.stop();
  });

  it('has what this process kept when Redis has lost it, and the younger of two', async () => {
    const clock = manualClock();
    const own = createMemoryAnswers({ clock, maxEntries: 10 });
    const answers = createRedisAnswers(plainRedisStore(client), own);
    await answers.set('lost', { ...EMPTY, lastModified: 'ours' }, 60_000);
    await client.del('weather:answer:lost');
    assert.equal((await answers.get('lost'))?.lastModified, 'ours');
    clock.advance(10_000);
    const others = createRedisAnswers(plainRedisStore(client), none);
    await others.set('lost', { ...EMPTY, lastModified: 'theirs' }, 60_000);
    assert.equal((await answers.get('lost'))?.lastModified, 'theirs');
  });

  it('takes what is no answer for none', async () => {
    const answers = createRedisAnswers(plainRedisStore(client), none);
    for (const garbage of ['garbage', '[]', '{"entries":[{}],"freshMs":1,"ttlMs":2}', '{}']) {
      await client.set('weather:answer:garbled', garbage, 'PX', 60_000);
      assert.equal(await answers.get('garbled'), undefined, garbage);
    }
  });
});
