import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cookieOf } from '../support/cookies.js';
import { assertOutcomes, attempt, type Reply } from '../support/load.js';
import { names } from '../support/names.js';
import { placePath } from '../support/places.js';
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
    env: { TRUST_PROXY: '1', RATE_LIMIT_PER_IP: '1000', RATE_LIMIT_TOTAL: '100000' },
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
});
