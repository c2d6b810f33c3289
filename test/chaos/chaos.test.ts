import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { anyClient } from '../support/http-client.js';
import { attempt, tally } from '../support/load.js';
import { QUEUE } from '../support/names.js';
import { placePath } from '../support/places.js';
import { residentBytes } from '../support/processes.js';
import { createRandom } from '../support/random.js';
import { hasRecovered } from '../support/readiness.js';
import { SEED } from '../support/seed.js';
import { startClients } from './clients.js';
import { createFaults } from './faults.js';
import { LIMIT, startFleet, type Fleet, type Topology } from './fleet.js';

/** Real processes under load and random faults. A seed repeats the faults, but not their timing. */

const MINUTES = Number(process.env['CHAOS_MINUTES'] ?? 1);
/** Number of steps after which the fleet must recover before the next step. */
const STEPS_UNTIL_RECOVERY = 6;
/** Milliseconds until recovery. A used-up quota without an end lasts a minute. */
const RECOVERY_MS = 75_000;
const MAX_BYTES = 400 * 1024 * 1024;
/** Keys of BullMQ without a TTL: few, and of bounded size. */
const QUEUE_KEYS = /:fetches:(meta|events|id|active|stalled|stalled-check|marker|failed)$/;

/** The number of the last new place, and of its client. */
let fresh = 5_000_000;

/** Asserts that the fleet works as before the faults. */
async function assertRecovered(fleet: Fleet): Promise<void> {
  const { replicas, workers } = fleet;
  for (const replica of replicas) {
    const reply = await attempt(replica.url + placePath((fresh += 1)), {
      headers: anyClient(fresh),
    });
    const { 'x-cache': cache, 'x-weather-provider': provider } = reply.headers;
    assert.deepEqual([reply.status, cache, provider], [200, 'MISS', 'open-meteo']);
    const ready = await attempt(`${replica.url}/api/v1/health/ready`);
    assert.equal(ready.status, 200, ready.text);
  }
  for (const process of [...replicas, ...workers]) {
    assert.ok(hasRecovered(process), 'Redis is still unavailable to a process');
    assert.ok(residentBytes(process.pid).now < MAX_BYTES);
  }
  const headers = anyClient((fresh += 1));
  const replies = [];
  for (let n = 0; n < LIMIT + 5; n += 1) {
    replies.push(await attempt(replicas[n % 2]!.url + placePath(fresh), { headers }));
  }
  assert.equal(tally(replies)['429'], 5, JSON.stringify(tally(replies)));
  await fleet.command(async (redis) => {
    for (const name of await redis.keys('*')) {
      assert.notEqual(name, `${QUEUE}:wait`);
      if (!QUEUE_KEYS.test(name)) assert.notEqual(await redis.pttl(name), -1, name);
    }
  });
}

async function recovers(fleet: Fleet): Promise<void> {
  const until = performance.now() + RECOVERY_MS;
  for (;;) {
    try {
      await assertRecovered(fleet);
      return;
    } catch (error) {
      if (performance.now() > until) throw error;
      await sleep(500);
    }
  }
}

describe('a fleet with random faults under load', () => {
  for (const topology of ['a single server', 'sentinels', 'a cluster'] satisfies Topology[]) {
    it(`on ${topology}: breaks no rule, and recovers`, async (t) => {
      const fleet = await startFleet(t, topology);
      const faults = createFaults(fleet);
      const weighted = faults.map((fault) => [fault.weight, fault] as const);
      await recovers(fleet);
      const clients = startClients(fleet, SEED);
      t.after(() => clients.stop());
      const until = performance.now() + MINUTES * 60_000;
      for (let step = 1; performance.now() < until; step += 1) {
        // Each step has its own random numbers.
        const random = createRandom(SEED * 1_000_003 + step);
        const chosen = new Set([random.weighted(weighted)]);
        if (random.chance(0.3)) chosen.add(random.weighted(weighted));
        const drawn = faults.filter((fault) => chosen.has(fault));
        const lastsMs = random.between(300, random.pick([2000, 8000, 15_000]));
        t.diagnostic(`step ${step}, ${lastsMs} ms: ${drawn.map(({ name }) => name).join('; ')}`);
        const undo: (() => unknown)[] = [];
        for (const fault of drawn) {
          // A failover after the step before can make a command impossible.
          const begun = await (async () => fault.begin(random))().catch(() => undefined);
          if (begun) undo.unshift(begun);
        }
        await sleep(lastsMs);
        for (const back of undo) await back();
        assert.deepEqual(clients.violations, []);
        if (step % STEPS_UNTIL_RECOVERY === 0) await recovers(fleet);
      }
      await recovers(fleet);
      await clients.stop();
      assert.deepEqual(clients.violations, []);
    });
  }
});
