import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { StoreUnavailableError } from '../../src/errors.js';
import { carryingOver } from '../../src/redis/old-sessions.js';
import { createNames } from '../../src/redis/names.js';
import { createRedisSessions } from '../../src/redis/sessions.js';
import { plainRedisStore } from '../support/plain-redis-store.js';
import { useRedis } from '../support/use-redis.js';

const LIVES = { ttlSeconds: 60, unconfirmedTtlSeconds: 20 };
const ISSUED_AT = 1_795_230_000_000;
const ID = 'b3d0a5e2-8f0a-4e3c-9d5b-0a1b2c3d4e5f';
const SESSION = `weather:session:{${ID}}`;
const SEARCHES = `weather:searches:{${ID}}`;

const OSLO = { city: 'Oslo', country: 'Norway' };
const BERGEN = { city: 'Bergen', country: 'Norway' };
const PLACES = { oslo: 'weather:59.9127:10.7461', bergen: 'weather:60.3929:5.3241' };
const search = { placeKey: 'weather:48.1374:11.5755', city: 'Munich', country: 'Germany' };
const MUNICH = { city: 'Munich', country: 'Germany' };

describe('a session of a version before 2.0.0', () => {
  const redis = useRedis();
  beforeEach(() => redis.client.flushall());

  function open(prefix = 'weather') {
    const store = plainRedisStore(redis.client);
    const names = createNames(prefix, 0);
    const sessions = createRedisSessions(store, names, LIVES);
    return carryingOver(sessions, { store, names, prefix, ttlSeconds: LIVES.ttlSeconds });
  }

  /** What each version writes for one session with two searches, Bergen being the newer one. */
  const WRITTEN = {
    async '1.0.0'(first = PLACES.oslo) {
      await redis.client.set(SESSION, JSON.stringify({ issuedAt: ISSUED_AT }), 'EX', 60);
      await redis.client.lpush(SEARCHES, `${first}\n${JSON.stringify(OSLO)}`);
      await redis.client.lpush(SEARCHES, `${PLACES.bergen}\n${JSON.stringify(BERGEN)}`);
    },
    async 'before 2.0.0'(first = PLACES.oslo) {
      const lines = [
        `${ISSUED_AT.toString(36)}?`,
        `${PLACES.bergen}\t["Bergen","Norway"]`,
        `${first}\t["Oslo","Norway"]\n`,
      ];
      await redis.client.set(SESSION, lines.join('\n'), 'EX', 60);
    },
  };

  for (const [version, write] of Object.entries(WRITTEN)) {
    it(`${version}: goes on with its list, by a search, by none, and by a look at the list`, async () => {
      for (const added of [search, undefined]) {
        await redis.client.flushall();
        await write();
        assert.equal(await open().record(ID, added), ISSUED_AT);
        const expected = [...(added ? [MUNICH] : []), BERGEN, OSLO];
        assert.deepEqual(await open().searches(ID), expected);
      }
      await redis.client.flushall();
      await write();
      assert.deepEqual(await open().searches(ID), [BERGEN, OSLO]);
    });

    it(`${version}: a repeat moves to the front`, async () => {
      await write(search.placeKey);
      await open().record(ID, search);
      assert.deepEqual(await open().searches(ID), [MUNICH, BERGEN]);
    });

    it(`${version}: is read once, is not changed, and is confirmed by it`, async () => {
      await write();
      const dump = async () => [
        await redis.client.dump(SESSION),
        await redis.client.dump(SEARCHES),
      ];
      const before = await dump();
      await open().record(ID, search);
      assert.deepEqual(await dump(), before);
      assert.ok((await redis.client.ttl(createNames('weather', 0).session(ID))) > 20);
      await redis.client.del(SESSION, SEARCHES);
      assert.equal(await open().record(ID), ISSUED_AT);
      assert.deepEqual(await open().searches(ID), [MUNICH, BERGEN, OSLO]);
    });

    it(`${version}: has an empty list once it was cleared`, async () => {
      await write();
      await open().clearSearches(ID);
      assert.deepEqual(await open().searches(ID), []);
      assert.equal(await open().record(ID), ISSUED_AT);
    });

    it(`${version}: shows its list where Redis takes no writes, unless it was cleared`, async () => {
      await write();
      for (const expected of [[BERGEN, OSLO], []]) {
        await redis.client.config('SET', 'maxmemory', '1');
        assert.deepEqual(await open().searches(ID), expected);
        await assert.rejects(open().clearSearches(ID), StoreUnavailableError);
        await redis.client.config('SET', 'maxmemory', '0');
        await open().clearSearches(ID);
      }
    });

    it(`${version}: keeps all of many concurrent searches`, async () => {
      await write();
      const sessions = open();
      const numbers = Array.from({ length: 8 }, (_, n) => n);
      await Promise.all(
        numbers.map((n) => sessions.record(ID, { ...search, placeKey: `weather:${n}:0` })),
      );
      assert.equal((await sessions.searches(ID)).length, 10);
    });

    it(`${version}: is none of a deployment with another prefix`, async () => {
      await write();
      assert.equal(await open('staging').record(ID, search), undefined);
      assert.deepEqual(await open('staging').searches(ID), []);
    });
  }

  it('is none when it is damaged; of a damaged list the rest is kept', async () => {
    const garbage = [
      ...['', 'x', 'null', '[]', '{}', '{"issuedAt":"1"}', '{"issuedAt":-1}', '{"issuedAt":1e300}'],
      ...['?\n', '123456789012\n', '\n'],
    ];
    for (const text of garbage) {
      await redis.client.set(SESSION, text);
      assert.equal(await open().record(ID, search), undefined, text);
      assert.deepEqual(await open().searches(ID), [], text);
      await open().clearSearches(ID);
    }
    await redis.client.multi().del(SESSION).rpush(SESSION, 'x').exec();
    assert.equal(await open().record(ID), undefined);

    await redis.client.set(SESSION, '{"issuedAt":17,"other":1}');
    const elements = ['', 'x', 'a\n{', 'a\nnull', 'a\n{"city":1,"country":"x"}', 'a\tb\n{}'];
    await redis.client.rpush(
      SEARCHES,
      ...elements,
      `${PLACES.oslo}\n${JSON.stringify(OSLO)}`,
      '\n{}',
    );
    assert.equal(await open().record(ID), 17);
    assert.deepEqual(await open().searches(ID), [OSLO]);

    await redis.client.flushall();
    await redis.client.set(SESSION, '{"issuedAt":17}');
    await redis.client.set(SEARCHES, 'x');
    assert.equal(await open().record(ID), 17);
    assert.deepEqual(await open().searches(ID), []);
  });
});
