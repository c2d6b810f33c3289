import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cookieOf } from '../support/cookies.js';
import { eventually } from '../support/eventually.js';
import { assertOutcomes, attempt, type Reply } from '../support/load.js';
import { placePath } from '../support/places.js';
import { administer } from '../support/redis-cluster.js';
import { useStack } from '../support/shared-stack.js';
import { PATHS } from '../support/stand-in.js';
import { names } from '../support/names.js';

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

  it('as a job: it is told, and the next jobs are taken', async () => {
    const { redis, workers, url } = stackOf();
    const jobs = ['{', 'null', '"x"', '{"request":1}', '{"request":{"kind":"weather"}}'];
    await administer(redis, async (client) => {
      for (const [n, data] of jobs.entries()) {
        const id = `garbage-${n}`;
        const job = { name: 'fetch', data, opts: '{}', timestamp: '1' };
        await client.hset(`${QUEUE}fetches:${id}`, job);
        await client.lpush(`${QUEUE}fetches:wait`, id);
      }
      // This one was lost by several workers.
      const request = { kind: 'weather', point: { latitude: 1, longitude: 1 } };
      const lost = { name: 'fetch', data: JSON.stringify({ request }), opts: '{}', timestamp: '1' };
      await client.hset(`${QUEUE}fetches:lost`, { ...lost, stc: '2', defa: 'stalled too often' });
      await client.lpush(`${QUEUE}fetches:wait`, 'lost');
      await client.zadd(`${QUEUE}fetches:marker`, 0, '0');
    });
    await eventually(
      () => workers[0]!.of('fetch_job_malformed').length === jobs.length,
      'a record of each malformed job',
    );
    await eventually(async () => {
      const keys = await administer(redis, (client) => client.keys(`${QUEUE}*`));
      return !keys.some((key) => /lost|failed|garbage/.test(key));
    }, 'nothing left of them');
    assert.equal((await attempt(url(placePath(1)))).status, 200);
  });

  it('on every channel and under every key: no process ends, no request fails', async () => {
    const { redis, upstream, url } = stackOf();
    // MET Norway's answers are kept in Redis.
    upstream.behave(PATHS.openMeteo, { kind: 'status', status: 500 });
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
    for (const kind of ['entry', 'session', 'window', 'kept']) {
      assert.ok(kinds.has(kind), `no key of ${kind} among ${[...kinds].join(', ')}`);
    }
  });
});
