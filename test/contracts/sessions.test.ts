import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { createMemorySessions } from '../../src/memory/sessions.js';
import { createNames } from '../../src/redis/names.js';
import { createRedisSessions } from '../../src/redis/sessions.js';
import { manualClock } from '../support/manual-clock.js';
import { plainRedisStore } from '../support/plain-redis-store.js';
import { passForKeys, useRedis } from '../support/use-redis.js';
import { LIVES, sessionsContract } from './sessions.contract.js';

const NAMES = createNames('weather', 0);

sessionsContract('memory', () => {
  const clock = manualClock();
  // The library takes an entry of time 0 for one without a time.
  clock.advance(1);
  return {
    sessions: createMemorySessions({ clock, lives: LIVES, maxSessions: 100 }),
    advance(ms) {
      clock.advance(ms);
      return Promise.resolve();
    },
  };
});

describe('with a Redis', () => {
  const redis = useRedis();

  sessionsContract('Redis', () => ({
    sessions: createRedisSessions(plainRedisStore(redis.client), NAMES, LIVES),
    advance: (ms) => passForKeys(redis.client, ms),
  }));

  describe('a session in Redis', () => {
    const key = (id: string) => NAMES.session(id);
    const open = () => createRedisSessions(plainRedisStore(redis.client), NAMES, LIVES);

    it('takes one key of at most 300 bytes until it is confirmed, whatever the names', async () => {
      const sessions = open();
      // The longest prefix that may be set.
      const longest = createNames('p'.repeat(40), 0);
      const prefixed = createRedisSessions(plainRedisStore(redis.client), longest, LIVES);
      const id = randomUUID();
      const place = { placeKey: 'weather:-47.6062:-122.3321' };
      for (const name of [
        'Oslo',
        'ฎ'.repeat(21),
        'x'.repeat(65),
        'x'.repeat(100),
        '𠀋'.repeat(100),
      ]) {
        await redis.client.flushall();
        const session = { id, issuedAt: Date.now(), confirmed: false };
        // Names of 130 bytes together are kept.
        const isKept = Buffer.byteLength(name) <= 65;
        await sessions.record(session, { ...place, city: name, country: name });
        assert.deepEqual(await redis.client.keys('*'), isKept ? [key(id)] : []);
        const bytes = await redis.client.memory('USAGE', key(id));
        assert.ok((bytes ?? 0) <= 300, `${name}: ${bytes} bytes`);
        await prefixed.record(session, { ...place, city: name, country: name });
        assert.ok(((await redis.client.memory('USAGE', longest.session(id))) ?? 0) <= 300, name);
        assert.equal((await sessions.searches(id)).length, isKept ? 1 : 0, name);
      }
    });

    it('that holds garbage is none, and of garbage among the searches the rest is listed', async () => {
      const sessions = open();
      const session = { id: 'garbage', issuedAt: 1, confirmed: true };
      const oslo = { city: 'Oslo', country: 'Norway' };
      for (const garbage of ['', '{"issuedAt":1}', 'x', '\n\n', '\xff\xfe?', '12345678901234\n']) {
        await redis.client.set(key('garbage'), garbage);
        assert.deepEqual(await sessions.searches('garbage'), []);
        await sessions.record(session);
        assert.equal(await redis.client.get(key('garbage')), garbage);
        await sessions.record(session, { placeKey: 'a', ...oslo });
        assert.deepEqual(await sessions.searches('garbage'), [oslo]);
      }
      await redis.client.multi().del(key('garbage')).rpush(key('garbage'), 'x').exec();
      assert.deepEqual(await sessions.searches('garbage'), []);
      await sessions.record(session, { placeKey: 'a', ...oslo });
      assert.deepEqual(await sessions.searches('garbage'), [oslo]);
      await redis.client.set(key('garbage'), 'h\na\t{\nb\t["Oslo","Norway"]\nc\t[1,2]\nd\nnull\n');
      assert.deepEqual(await sessions.searches('garbage'), [oslo]);
    });
  });
});
