import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { workerFetches } from '../support/agreed-fetches.js';
import { attempt, type Reply } from '../support/load.js';
import { QUEUE } from '../support/names.js';
import { placePath } from '../support/places.js';
import { becomesReady } from '../support/readiness.js';
import { startRedis } from '../support/redis-server.js';
import { startProcesses } from '../support/stack.js';
import { connectTo } from '../support/use-redis.js';

const temperatureOf = ({ json }: Reply) => (json as { temperature: number }).temperature;
const HOT = [1, 2, 3, 4, 5];
/** A replica that has heard no worker for so long knows that there is none. */
const KNOWN_AFTER_MS = 3500;
const WARMER_BY = 7;

describe('two deployments on one Redis', { concurrency: true }, () => {
  for (const [what, apart] of [
    ['two databases', (url: string) => ({ REDIS_URL: `${url}/1` })],
    ['two prefixes', (url: string) => ({ REDIS_URL: url, REDIS_PREFIX: 'staging' })],
  ] as const) {
    it(`in ${what}: they never show one another’s weather, nor wait for one another’s workers`, async (t) => {
      const redis = await startRedis();
      const ours = await startProcesses(t, {
        ...{ replicas: 1, workers: 0, env: { REDIS_URL: redis.url } },
        store: redis,
      });
      const theirs = await startProcesses(t, {
        ...{ replicas: 1, workers: 1, env: apart(redis.url) },
      });
      theirs.upstream.world.warmerBy = WARMER_BY;
      await Promise.all([ours, theirs].map(({ replicas }) => becomesReady(replicas[0]!)));
      const askAll = (processes: typeof ours) =>
        Promise.all(HOT.map((n) => attempt(processes.url(placePath(n)))));

      const before = (await askAll(ours)).map(temperatureOf);
      // Places of their own: now their worker is at work, and tells it.
      await workerFetches(theirs);
      const others = (await askAll(theirs)).map(temperatureOf);
      for (const [n, temperature] of others.entries()) {
        assert.ok(Math.abs(temperature - before[n]! - WARMER_BY) < 0.05, 'other providers');
      }
      assert.deepEqual((await askAll(ours)).map(temperatureOf), before);

      // A cold place is fetched here, and no job is left for a worker that is not ours.
      const observer = connectTo(t, redis);
      await sleep(KNOWN_AFTER_MS);
      const jobs = await observer.xlen(`${QUEUE}:events`);
      for (const n of [11, 12, 13]) {
        assert.equal((await attempt(ours.url(placePath(n)))).status, 200);
      }
      assert.equal(await observer.xlen(`${QUEUE}:events`), jobs);
    });
  }
});
