import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Agent } from 'node:http';
import { Redis } from 'ioredis';
import { anyClient } from '../support/http-client.js';
import { assertOutcomes, attempt, type Reply, tally } from '../support/load.js';
import { QUEUE } from '../support/names.js';
import { placePath } from '../support/places.js';
import { residentBytes } from '../support/processes.js';
import { startStack } from '../support/stack.js';

const COUNT = 100_000;
const CLIENTS = 24;
const MAX_RESIDENT_BYTES = 450 * 1024 * 1024;
/** Bytes in Redis (docs/operations/sizing.md): an unconfirmed session, an address's window, … */
const BYTES_AN_ADDRESS = 300 + 310;
/** … and a session, another request of that address, and the entry of the place. */
const BYTES_A_PLACE = 300 + 10 + 500;
/** Factor for the allocation of Redis in steps. */
const TOLERANCE = 1.5;

/** Sends each request once, over few connections. @returns a sample of the replies */
async function askAll(
  urls: (n: number) => string,
  headers: (n: number) => Record<string, string>,
): Promise<Reply[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const kept: Reply[] = [];
  let next = 0;
  const client = async () => {
    while (next < COUNT) {
      const n = next++;
      const reply = await attempt(urls(n), { headers: headers(n), agent });
      if (reply.status !== 200 || n % 100 === 0) kept.push(reply);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  agent.destroy();
  return kept;
}

describe('100,000 addresses and places', () => {
  it('leave the memory of the processes, Redis, and the queue bounded', async (t) => {
    const stack = await startStack(t, {
      replicas: 2,
      workers: 1,
      env: {
        TRUST_PROXY: '1',
        // 100,000 places exceed every daily budget.
        PROVIDER_BUDGETS: '',
        RATE_LIMIT_PER_IP: '30',
      },
    });
    const redis = new Redis(stack.redis.url);
    t.after(() => {
      redis.disconnect();
    });
    const used = async () =>
      Number(/used_memory:(\d+)/.exec(await redis.info('memory'))?.[1] ?? Number.NaN);
    for (const replica of stack.replicas)
      await attempt(replica.url + placePath(0), { headers: anyClient(0) });
    const before = await used();

    const byAddress = await askAll(() => stack.url(placePath(0)), anyClient);
    assert.deepEqual(Object.keys(tally(byAddress)), ['200 HIT']);
    const afterAddresses = await used();
    assert.ok((afterAddresses - before) / COUNT < TOLERANCE * BYTES_AN_ADDRESS);

    const byPlace = await askAll((n) => stack.url(placePath(n)), anyClient);
    assertOutcomes(byPlace);
    assert.ok(((await used()) - afterAddresses) / COUNT < TOLERANCE * BYTES_A_PLACE);
    for (const service of [...stack.replicas, ...stack.workers]) {
      assert.ok(residentBytes(service.pid).now < MAX_RESIDENT_BYTES);
    }
    assert.equal(await redis.llen(`${QUEUE}:wait`), 0);
    assert.ok((await redis.xlen(`${QUEUE}:events`)) < 250);
    const forever = (await redis.keys('*')).filter((key) => !key.startsWith(QUEUE));
    const sample = forever.filter((_, n) => n % 500 === 0);
    for (const key of sample) assert.ok((await redis.pttl(key)) > 0, `${key} never ends`);
  });
});
