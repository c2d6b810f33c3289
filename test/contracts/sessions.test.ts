import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { createNames } from '../../src/redis/names.js';
import { createRedisSessions } from '../../src/redis/redis-sessions.js';
import { systemClock } from '../support/manual-clock.js';
import { fc } from '../support/properties.js';
import { plainRedis } from '../support/plain-redis.js';
import { passForKeys, useRedis } from '../support/use-redis.js';
import { TTLS, sessionsContract } from './sessions.contract.js';

const NAMES = createNames('weather', 0);
const LISTED = { city: 'Oslo', country: 'Norway' };
const OSLO = { placeKey: 'a', respondedAtUs: 1, ...LISTED };

describe('with a Redis', () => {
  const redis = useRedis();
  const open = (names = NAMES) =>
    createRedisSessions({
      redis: plainRedis(redis.client),
      names,
      ttls: TTLS,
      clock: systemClock,
    });

  sessionsContract('Redis', () => ({
    sessions: open(),
    advance: (ms) => passForKeys(redis.client, ms),
  }));

  describe('a session in Redis', () => {
    const key = (id: string) => NAMES.session(id);

    it('takes one key of at most 300 bytes until it is confirmed, whatever the names', async () => {
      const sessions = open();
      // The longest prefix that may be set.
      const longest = createNames('p'.repeat(40), 0);
      const prefixed = open(longest);
      const id = randomUUID();
      const place = { placeKey: 'weather:-47.6062:-122.3321', respondedAtUs: Date.now() * 1000 };
      for (const name of ['x'.repeat(61), 'x'.repeat(100), '水'.repeat(61)]) {
        await redis.client.flushall();
        const session = { id, confirmed: false };
        // Names of at most 122 bytes together are stored.
        const isStored = Buffer.byteLength(name) <= 61;
        await sessions.record(session, { ...place, city: name, country: name });
        assert.deepEqual(await redis.client.keys('*'), isStored ? [key(id)] : []);
        const bytes = await redis.client.memory('USAGE', key(id));
        assert.ok((bytes ?? 0) <= 300, `${name}: ${bytes} bytes`);
        await prefixed.record(session, { ...place, city: name, country: name });
        assert.ok(((await redis.client.memory('USAGE', longest.session(id))) ?? 0) <= 300, name);
        assert.equal((await sessions.searches(id)).length, isStored ? 1 : 0, name);
      }
    });

    it('lists what can be read of damaged searches, at most ten', async () => {
      const line = '3\tb\t["Oslo","Norway"]\n';
      await redis.client.set(key('damaged'), `4\ta\t{\n${line}x\n2\tc\t[1,2]\n\t\t\n1\td\tnull\n`);
      assert.deepEqual(await open().searches('damaged'), [LISTED]);
      await redis.client.set(key('damaged'), line.repeat(1000));
      assert.equal((await open().searches('damaged')).length, 10);
    });

    it('is recorded into any damaged value, and so are its neighbors in the batch', async () => {
      const sessions = open();
      const line = '1795333258003363\tp\t["A","B"]\n';
      const pieces = ['1', '?', 'p', '\t', '\n', '\0', '%', '["A","B"]', '\ta\t', line];
      const value = fc.array(fc.constantFrom(...pieces), { maxLength: 12 });
      const search = { ...OSLO, respondedAtUs: 1_795_333_258_003_364 };
      const property = fc.asyncProperty(value, async (parts) => {
        await redis.client.set(key('damaged'), parts.join(''));
        await redis.client.del(key('neighbor'), key('type'));
        await redis.client.rpush(key('type'), 'x');
        await redis.client.set(key('text'), '9'.repeat(400) + '\tx\n\t');
        const ids = ['damaged', 'type', 'text', 'neighbor'];
        await Promise.all(ids.map((id) => sessions.record({ id, confirmed: true }, search)));
        for (const id of ids) assert.deepEqual((await sessions.searches(id))[0], LISTED);
      });
      await fc.assert(property);
    });
  });
});
