import assert from 'node:assert/strict';
import { describe, it, before } from 'node:test';
import type { Redis } from 'ioredis';
import { cookieOf } from '../support/cookies.js';
import { eventually } from '../support/eventually.js';
import { assertOutcomes, attempt, type Reply } from '../support/load.js';
import { placePath, requestKey } from '../support/places.js';
import { administer } from '../support/redis-cluster.js';
import { useStack } from '../support/shared-stack.js';
import { PATHS } from '../support/stub-provider.js';
import { names } from '../support/names.js';
import { connectTo } from '../support/use-redis.js';
import { suiteLifetime } from '../support/lifetime.js';

/** BullMQ's own books. */
const QUEUE = `${names.queue}:`;
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
    env: { TRUST_PROXY: '1', RATE_LIMIT_PER_IP: '1000', RATE_LIMIT_TOTAL: '100000' },
  });

  it('as a job: it is dropped and logged, and the next jobs are run', async () => {
    const { redis, workers, url } = stackOf();
    const request = { point: { latitude: 1, longitude: 1 } };
    const ofUnknownKind = JSON.stringify({ kind: 'tides', request, fetchId: 'f', freshForMs: 0 });
    const jobs = ['null', '"x"', '{"kind":"weather","request":1}', ofUnknownKind];
    await administer(redis, async (client) => {
      for (const [n, data] of jobs.entries()) {
        const id = `garbage-${n}`;
        const job = { name: 'fetch', data, opts: '{}', timestamp: '1' };
        await client.hset(`${QUEUE}fetches:${id}`, job);
        await client.lpush(`${QUEUE}fetches:wait`, id);
      }
      // This one was lost by several workers.
      const data = JSON.stringify({ kind: 'weather', request, fetchId: 'f', freshForMs: 0 });
      const lost = { name: 'fetch', data, opts: '{}', timestamp: '1' };
      await client.hset(`${QUEUE}fetches:lost`, { ...lost, stc: '2', defa: 'stalled too often' });
      await client.lpush(`${QUEUE}fetches:wait`, 'lost');
      await client.zadd(`${QUEUE}fetches:marker`, 0, '0');
    });
    await eventually(
      () => workers[0]!.of('fetch_job_dropped').length === jobs.length,
      'a record of each invalid job',
    );
    await eventually(async () => {
      const keys = await administer(redis, (client) => client.keys(`${QUEUE}*`));
      return !keys.some((key) => /lost|failed|garbage/.test(key));
    }, 'nothing left of them');
    assert.equal((await attempt(url(placePath(1)))).status, 200);
  });

  it('on every channel and under every key: no process ends, no request fails', async () => {
    const { redis, url } = stackOf();
    const cookie = cookieOf(await attempt(url('/api/v1/weather?city=Berlin&country=Germany')));
    const replies: Reply[] = [];
    const use = async () => {
      for (const path of [10, 11, 12, 13].map(placePath).concat('/api/v1/recent-searches')) {
        replies.push(await attempt(url(path), { headers: { cookie } }));
      }
    };
    await use();
    const kinds = new Set<string>();
    for (const garbage of GARBAGE) {
      await administer(redis, async (client) => {
        for (const channel of await client.pubsub('CHANNELS')) {
          await client.publish(String(channel), garbage);
          await client.publish(String(channel), `${garbage}\n5000\n${garbage}`);
        }
        for (const key of (await client.keys('*')).filter((name) => !name.startsWith(QUEUE))) {
          kinds.add((key.split(':')[1] ?? '').replace(/\d+$/, ''));
          await client.set(key, garbage, 'KEEPTTL');
        }
      });
      await use();
    }
    await administer(redis, async (client) => {
      for (const key of (await client.keys('*')).filter((name) => !name.startsWith(QUEUE))) {
        await client.multi().del(key).rpush(key, 'garbage').pexpire(key, 60_000).exec();
      }
    });
    await use();
    assertOutcomes(replies);
    for (const kind of ['entry', 'session', 'window']) {
      assert.ok(kinds.has(kind), `no key of ${kind} among ${[...kinds].join(', ')}`);
    }
  });
});

/** The right form and the wrong content: what is done to the text of a well entry. */
const DAMAGE: Record<string, (text: string) => string> = {
  'an entry of another kind': (text) =>
    text.replace(
      /\{.*\}$/s,
      '{"value":null,"provider":"p","freshMs":300000,"staleMs":3600000,"fetchId":"f"}',
    ),
  'a provider that is no header value': (text) => text.replace('"open-meteo"', '"東"'),
  'a provider with a line break': (text) => text.replace('"open-meteo"', '"a\\nb"'),
  'a life that is no number': (text) => text.replace(/"freshMs":[\d.]+/, '"freshMs":"x"'),
  'a life longer than time': (text) => text.replace(/"freshMs":[\d.]+/, '"freshMs":1e300'),
  'a life without an end': (text) => text.replace(/"freshMs":[\d.]+/, '"freshMs":1e999'),
  'a fetch in the future': (text) => text.replace(/"freshMs":[\d.]+/, '"freshMs":1'),
  'no fetch id': (text) => text.replace(/"fetchId":"[^"]+"/, '"fetchId":7'),
};

const entryOf = (n: number) => names.entry(requestKey(n));
const lockOf = (n: number) => names.lock(requestKey(n));

describe('what Redis holds has the right form and the wrong content', () => {
  const stackOf = useStack({ replicas: 2, workers: 0 });
  const lifetime = suiteLifetime();
  let redis: Redis;
  before(() => {
    redis = connectTo(lifetime, stackOf().redis);
  });

  /** The answer does not wait until its entry is there. */
  async function written(key: string): Promise<string> {
    await eventually(async () => (await redis.exists(key)) === 1, key);
    return (await redis.get(key))!;
  }

  it('entry: it is a miss and is repaired, whatever is wrong with it', async () => {
    const stack = stackOf();
    const [first, second] = stack.replicas;
    for (const [n, [what, damage]] of Object.entries(DAMAGE).entries()) {
      await attempt(first!.url + placePath(n));
      const key = entryOf(n);
      const text = await written(key);
      const damaged = damage(text);
      assert.notEqual(damaged, text, what);
      await redis.set(key, damaged, 'KEEPTTL');
      const reply = await attempt(second!.url + placePath(n));
      assert.deepEqual([reply.status, reply.headers['x-cache']], [200, 'MISS'], what);
      await eventually(async () => (await redis.get(key)) !== damaged, `the repair of ${what}`);
    }
  });

  it('entry without a life: it is a miss, and gets one', async () => {
    const stack = stackOf();
    const [first, second] = stack.replicas;
    await attempt(first!.url + placePath(21));
    const key = entryOf(21);
    await written(key);
    assert.equal(await redis.persist(key), 1);
    assert.equal((await attempt(second!.url + placePath(21))).headers['x-cache'], 'MISS');
    await eventually(async () => (await redis.pttl(key)) > 0, 'a life');
  });

  it('a lock without a TTL blocks no place', async () => {
    const [first] = stackOf().replicas;
    await redis.set(lockOf(31), 'x');
    await redis.hset(lockOf(32), 'x', 'y');
    for (const n of [31, 32]) {
      const reply = await attempt(first!.url + placePath(n), { timeoutMs: 10_000 });
      assert.equal(reply.status, 200);
    }
  });

  it('a published failure with an absurd wait is ignored', async () => {
    const stack = stackOf();
    const [first, second] = stack.replicas;
    stack.upstream.behave(PATHS.openMeteo, { kind: 'ok', delayMs: 2000 });
    const runs = attempt(first!.url + placePath(51));
    await eventually(async () => (await redis.exists(lockOf(51))) === 1, 'a fetch');
    const waits = attempt(second!.url + placePath(51));
    const fetchId = await redis.get(lockOf(51));
    const failure = JSON.stringify({ key: requestKey(51), fetchId, failure: 'x', retryAfterMs: 0 });
    const repeats = setInterval(() => {
      void redis.publish(names.fetchMessages, failure.replace(':0}', ':1e300}'));
    }, 50);
    const replies = await Promise.all([runs, waits]);
    clearInterval(repeats);
    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 200],
    );
  });
});
