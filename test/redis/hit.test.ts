import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Redis } from 'ioredis';
import { cookieOf, sessionIdOf } from '../support/cookies.js';
import { attempt } from '../support/load.js';
import { names } from '../support/names.js';
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
  const stackOf = useStack({
    replicas: 1,
    workers: 0,
    env: { TRUST_PROXY: '1', RATE_LIMIT_PER_IP: String(LIMIT) },
  });

  /** Sends requests of one client. Afterwards its session is confirmed, and two places are in the cache. */
  async function startClient(address: string) {
    const { redis, url } = stackOf();
    const search = (city: string, cookie: string) =>
      searchAt(url(''), city, { cookie, headers: { 'X-Forwarded-For': address } });
    const cookie = cookieOf(await search('Bonn', ''));
    await search('Bonn', cookie);
    await search('Ulm', cookie);
    const list = async () => {
      const headers = { 'X-Forwarded-For': address, cookie };
      return (await attempt(url(SEARCHES), { headers })).text;
    };
    const count = () => administer(redis, scripts);
    return { redis, cookie, list, count, ask: (city: string) => search(city, cookie) };
  }

  it('costs two commands: one counts it, one records its search', async () => {
    const { ask, list, count } = await startClient('192.0.2.1');
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

  it('writes a session that Redis has lost again under its ID', async () => {
    const { ask, cookie, list, redis } = await startClient('192.0.2.3');
    const id = sessionIdOf(cookie);
    assert.equal(await administer(redis, (client) => client.del(names.session(id))), 1);
    assert.deepEqual(cookieOf(await ask('Bonn')), '');
    assert.match(await list(), /\[\{"city":"Bonn","country":"Germany"\}\]/);
  });
});
