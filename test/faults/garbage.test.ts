import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Redis } from 'ioredis';
import { cookieOf } from '../support/cookies.js';
import { eventually } from '../support/eventually.js';
import { attempt, tally, type Reply } from '../support/load.js';
import { placePath } from '../support/places.js';
import { startStack } from '../support/stack.js';
import { PATHS } from '../support/stand-in.js';

/** BullMQ's own books. */
const QUEUE = '{weather:queue}:';
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

describe('what Redis says', () => {
  it('is input: garbage on every channel and under every key ends nothing and fails no request', async (t) => {
    const stack = await startStack(t, {
      replicas: 2,
      workers: 1,
      env: { TRUST_PROXY: '1', RATE_LIMIT_PER_IP: '1000', RATE_LIMIT_TOTAL: '100000' },
    });
    const redis = new Redis(stack.redis.url);
    t.after(() => {
      redis.disconnect();
    });
    // MET Norway's answers are kept in Redis.
    stack.upstream.behave(PATHS.openMeteo, { kind: 'status', status: 500 });
    const first = await attempt(stack.url('/api/v1/weather?city=Berlin&country=Germany'));
    const cookie = cookieOf(first);
    const replies: Reply[] = [];
    const use = async () => {
      for (let n = 0; n < 6; n += 1) {
        replies.push(await attempt(stack.url(placePath(n)), { headers: { cookie } }));
      }
      const path = stack.url('/api/v1/recent-searches');
      replies.push(await attempt(path, { headers: { cookie } }));
    };
    await use();
    const kinds = new Set<string>();

    for (const garbage of GARBAGE) {
      for (const channel of await redis.pubsub('CHANNELS')) {
        await redis.publish(String(channel), garbage);
        await redis.publish(String(channel), `${garbage}\n5000\n${garbage}`);
      }
      for (const key of (await redis.keys('*')).filter((name) => !name.startsWith(QUEUE))) {
        kinds.add(key.split(':')[1] ?? '');
        await redis.set(key, garbage, 'KEEPTTL');
      }
      await use();
    }
    for (const key of (await redis.keys('*')).filter((name) => !name.startsWith(QUEUE))) {
      await redis.multi().del(key).rpush(key, 'garbage').pexpire(key, 60_000).exec();
    }
    await use();
    assert.deepEqual(
      Object.keys(tally(replies)).filter((outcome) => !outcome.startsWith('200')),
      [],
    );
    for (const kind of ['cache', 'session3', 'window', 'kept3', 'breaker']) {
      assert.ok(kinds.has(kind), `no key of ${kind} among ${[...kinds].join(', ')}`);
    }
  });

  it('is input: a job that is none is told, and the next ones are taken', async (t) => {
    const stack = await startStack(t, { replicas: 1, workers: 1 });
    const redis = new Redis(stack.redis.url);
    t.after(() => {
      redis.disconnect();
    });
    const [worker] = stack.workers;
    const jobs = ['{', 'null', '"x"', '{"request":1}', '{"request":{"kind":"weather"}}'];
    for (const [n, data] of jobs.entries()) {
      const id = `garbage-${n}`;
      await redis.hset(`${QUEUE}fetches:${id}`, {
        name: 'fetch',
        data,
        opts: '{}',
        timestamp: '1',
      });
      await redis.lpush(`${QUEUE}fetches:wait`, id);
    }
    // This one was lost by several workers.
    const request = { kind: 'weather', point: { latitude: 1, longitude: 1 } };
    const lost = { name: 'fetch', data: JSON.stringify({ request }), opts: '{}', timestamp: '1' };
    await redis.hset(`${QUEUE}fetches:lost`, { ...lost, stc: '2', defa: 'stalled too often' });
    await redis.lpush(`${QUEUE}fetches:wait`, 'lost');
    await redis.zadd(`${QUEUE}fetches:marker`, 0, '0');
    await eventually(
      () => worker!.of('fetch_job_malformed').length === jobs.length,
      `a record of each: ${JSON.stringify(worker!.records)}`,
    );
    await eventually(async () => {
      const keys = await redis.keys(`${QUEUE}*`);
      return !keys.some((key) => /lost|failed|garbage/.test(key));
    }, 'nothing left of them');
    const reply = await attempt(stack.url(placePath(1)));
    assert.equal(reply.status, 200);
  });
});
