import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Redis } from 'ioredis';
import { createMemoryAnswers } from '../../src/memory/answers.js';
import { createRedisAnswers } from '../../src/redis/answers.js';
import { manualClock } from '../support/manual-clock.js';
import { plainRedisStore } from '../support/plain-redis-store.js';
import { startRedis, type RedisServer } from '../support/redis-server.js';
import { answersContract } from './answers.contract.js';

const EMPTY = { entries: [], lastModified: undefined, freshMs: 1 };

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
    answers: createRedisAnswers(plainRedisStore(client)),
    async advance(key, ms) {
      // Redis's clock cannot be set: the key's end is brought nearer instead.
      const redisKey = `weather:answer:${key}`;
      await client.pexpire(redisKey, Math.max(0, (await client.pttl(redisKey)) - ms));
    },
  }));

  it('has nothing and keeps nothing while Redis is unavailable', async () => {
    const away = await startRedis();
    const broken = new Redis(away.url, { enableOfflineQueue: false, maxRetriesPerRequest: 0 });
    broken.on('error', () => undefined);
    await away.kill('SIGKILL');
    const answers = createRedisAnswers(plainRedisStore(broken));
    await answers.set('key', EMPTY, 60_000);
    assert.equal(await answers.get('key'), undefined);
    broken.disconnect();
    await away.stop();
  });
});
