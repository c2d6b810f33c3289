import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Redis } from 'ioredis';
import { cookieOf } from '../support/cookies.js';
import { eventually } from '../support/eventually.js';
import { attempt } from '../support/load.js';
import { administer } from '../support/redis-cluster.js';
import { searchAt } from '../support/searches.js';
import { useStack } from '../support/shared-stack.js';

const SEARCHES = '/api/v1/recent-searches';

/** The number of scripts that Redis has run for requests. Health checks use EVAL. */
async function scripts(client: Redis): Promise<number> {
  const stats = await client.info('commandstats');
  return Number(/cmdstat_evalsha:calls=(\d+)/.exec(stats)?.[1] ?? 0);
}

describe('a hit of a session', () => {
  const stackOf = useStack({ replicas: 1, workers: 0, env: { RATE_LIMIT_PER_IP: '1000' } });

  it('costs two commands: one counts it, one records its search', async () => {
    const { redis, url } = stackOf();
    const cookie = cookieOf(await searchAt(url(''), 'Bonn'));
    const ask = (city: string) => searchAt(url(''), city, { cookie });
    const list = async () => (await attempt(url(SEARCHES), { headers: { cookie } })).text;
    const count = () => administer(redis, scripts);
    await ask('Bonn');
    await ask('Ulm');
    assert.match(await list(), /Ulm.*Bonn/);
    // On a busy machine, a recording is sent again if the reply of Redis is late.
    await eventually(async () => {
      const before = await count();
      // A new spelling costs no more.
      for (const city of ['Bonn', 'BONN', 'bonn']) {
        assert.equal((await ask(city)).headers['x-cache'], 'HIT');
      }
      assert.match(await list(), /bonn.*Ulm/);
      // Two more for the list.
      return (await count()) - before === 6 + 2;
    }, 'two commands for each hit');
  });
});
