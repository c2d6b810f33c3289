import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { currentWeather } from '../support/steps.js';
import { cookieOf, sessionIdOf } from '../support/cookies.js';
import { assertOutcomes, attempt, type Reply } from '../support/load.js';
import { names } from '../support/names.js';
import { placePath, requestKey } from '../support/places.js';
import { searchAt } from '../support/searches.js';
import { useStack } from '../support/shared-stack.js';
import { connectTo } from '../support/use-redis.js';

const GARBAGE = [
  '',
  'x',
  'null',
  '{}',
  '[1]',
  '\xff\x00',
  '1 2 {"value":{"kind":"weather"}}',
  '1e999',
];

describe('garbage in Redis', () => {
  const stackOf = useStack({
    replicas: 2,
    workers: 1,
    env: {
      ...{ RATE_LIMIT_PER_IP: '1000', RATE_LIMIT_TOTAL: '100000' },
      ...{ CACHE_TTL_SECONDS: '2', STALE_IF_ERROR_SECONDS: '0' },
    },
  });

  it('on every channel and under every key fails no request and ends no process', async (t) => {
    const { redis, url } = stackOf();
    const client = connectTo(t, redis);
    const cookie = cookieOf(await attempt(url('/api/v1/weather?city=Berlin&country=Germany')));
    const replies: Reply[] = [];
    const use = async () => {
      for (const path of [10, 11, 12, 13].map(placePath).concat('/api/v1/recent-searches')) {
        replies.push(await attempt(url(path), { headers: { cookie } }));
      }
    };
    const kinds = new Set<string>();
    /** All keys but those of BullMQ. */
    async function keys(): Promise<string[]> {
      const all = await client.keys('*');
      const own = all.filter((key) => !key.startsWith(`${names.queue}:`));
      for (const key of own) kinds.add((key.split(':')[1] ?? '').replace(/\d+$/, ''));
      return own;
    }

    await use();
    for (const garbage of GARBAGE) {
      for (const channel of await client.pubsub('CHANNELS')) {
        await client.publish(String(channel), garbage);
        await client.publish(String(channel), `${garbage}\n5000\n${garbage}`);
      }
      for (const key of await keys()) await client.set(key, garbage, 'KEEPTTL');
      await use();
    }
    for (const key of await keys()) {
      await client.multi().del(key).rpush(key, 'garbage').pexpire(key, 60_000).exec();
    }
    await use();
    assertOutcomes(replies);
    for (const kind of ['entry', 'session', 'window']) {
      assert.ok(kinds.has(kind), `no key of ${kind} among ${[...kinds].join(', ')}`);
    }
  });

  const entryOf = (members: object) =>
    JSON.stringify({
      value: currentWeather({ time: Date.now(), temperature: -7 }),
      ...{ provider: 'planted', fetchId: 'planted', freshMs: 1e15, staleMs: 1e15 },
      ...members,
    });

  it('that is an entry is a miss if it is larger than 64 KB', async (t) => {
    const { redis, url } = stackOf();
    const client = connectTo(t, redis);
    for (const [n, size, provider] of [
      [22, 60_000, 'planted'],
      [23, 70_000, 'open-meteo'],
      [24, 5_000_000, 'open-meteo'],
    ] as const) {
      const text = entryOf({ freshMs: 60_000, staleMs: 0, padding: 'x'.repeat(size) });
      await client.set(names.entry(requestKey(n)), text, 'PX', 60_000);
      const { headers, status } = await attempt(url(placePath(n)));
      assert.deepEqual([status, headers['x-weather-provider']], [200, provider]);
    }
  });

  it('that is a session is ignored if it is larger than 64 KB, and is replaced', async (t) => {
    const { redis, url } = stackOf();
    const client = connectTo(t, redis);
    const cookie = cookieOf(await searchAt(url(''), 'Berlin'));
    await searchAt(url(''), 'Hamburg', { cookie });
    const key = names.session(sessionIdOf(cookie));
    const line = (await client.get(key))!.split('\n')[0]!;
    await client.set(key, `${line}\n`.repeat(5000), 'PX', 1e15);
    const list = async () =>
      (await attempt(url('/api/v1/recent-searches'), { headers: { cookie } })).text;
    assert.equal(await list(), '{"recent_searches":[]}\n');
    await searchAt(url(''), 'Munich', { cookie });
    assert.match(await list(), /^[^}]*Munich[^}]*\}\]\}\n$/);
    assert.ok((await client.ttl(key)) <= 86_400);
  });
});
