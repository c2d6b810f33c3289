import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Redis } from 'ioredis';
import { cookieOf } from '../support/cookies.js';
import { attempt } from '../support/load.js';
import { administer } from '../support/redis-cluster.js';
import { searchAt } from '../support/searches.js';
import { useStack } from '../support/shared-stack.js';

const LIMIT = 10;
const SEARCHES = '/api/v1/recent-searches';

/** The number of scripts that Redis has run for requests. Health checks use EVAL. */
async function scripts(client: Redis): Promise<number> {
  const stats = await client.info('commandstats');
  return Number(/cmdstat_evalsha:calls=(\d+)/.exec(stats)?.[1] ?? 0);
}

describe('a hit of a session', () => {
  const stackOf = useStack({ replicas: 1, workers: 0, env: { RATE_LIMIT_PER_IP: String(LIMIT) } });

  it('costs two commands: one counts it, one records its search', async () => {
    const { redis, url } = stackOf();
    const cookie = cookieOf(await searchAt(url(''), 'Bonn'));
    const ask = (city: string) => searchAt(url(''), city, { cookie });
    const list = async () => (await attempt(url(SEARCHES), { headers: { cookie } })).text;
    const count = () => administer(redis, scripts);
    await ask('Bonn');
    await ask('Ulm');
    assert.match(await list(), /Ulm.*Bonn/);
    const before = await count();
    // A new spelling costs no more.
    for (const [round, city] of ['Bonn', 'BONN', 'bonn'].entries()) {
      const { headers } = await ask(city);
      assert.deepEqual(
        [headers['x-cache'], headers['x-ratelimit-remaining']],
        ['HIT', String(LIMIT - 4 - round)],
      );
    }
    assert.match(await list(), /bonn.*Ulm/);
    // Two more for the list.
    assert.equal((await count()) - before, 6 + 2);
  });
});
