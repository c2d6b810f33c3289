import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { attempt } from '../support/load.js';
import { placePath } from '../support/places.js';
import { becomesReady } from '../support/readiness.js';
import { administer, freePort } from '../support/redis-server.js';
import { startProcesses, startStack, type Processes, type Stack } from '../support/stack.js';

/** Default production: one provider, whose budget is far from spent. */
const ENV = {
  WEATHER_PROVIDERS: 'open-meteo',
  PROVIDER_BUDGETS: 'open-meteo=600/60,5000/3600,10000/86400',
  // Longer than a fetch takes on a busy machine, and shorter than any window of a budget.
  REQUEST_TIMEOUT_MS: '15000',
  // A name that is not known is asked for again.
  NEGATIVE_TTL_SECONDS: '0',
};
/** The gazetteer lacks these names: the geocoder is asked for them. */
const UNKNOWN_NAMES = ['city=Zeroville&country=Ghana', 'city=Adminia&country=Italy'];

let place = 0;
/** A wait for a window of a budget would end with the request's time: 503. */
async function assertColdPlacesAnswered(processes: Processes): Promise<void> {
  const names = UNKNOWN_NAMES.map((name) => `/api/v1/weather?${name}`);
  const places = [placePath((place += 1)), placePath((place += 1)), ...names];
  const replies = await Promise.all(places.map((path) => attempt(processes.url(path))));
  assert.deepEqual(
    replies.map(({ status }) => status),
    places.map(() => 200),
  );
}

describe('one provider with a budget: cold places are answered without a wait', () => {
  const OPTIONS = { replicas: 1, workers: 1, env: ENV };

  const TROUBLES: [string, (stack: Stack) => unknown, (stack: Stack) => unknown][] = [
    [
      'Redis is read-only',
      (stack) => administer(stack.redis, (redis) => redis.replicaof('127.0.0.1', 1)),
      (stack) => administer(stack.redis, (redis) => redis.replicaof('NO', 'ONE')),
    ],
    ['Redis hangs', ({ redis }) => redis.kill('SIGSTOP'), ({ redis }) => redis.kill('SIGCONT')],
    ['Redis is killed', ({ redis }) => redis.kill('SIGKILL'), ({ redis }) => redis.restart()],
  ];
  for (const [trouble, happens, ends] of TROUBLES) {
    it(`when ${trouble}, and when that is over`, async (t) => {
      // One of its own: the second recovery that a process tells comes 30 s after the first.
      const stack = await startStack(t, OPTIONS);
      const [replica] = stack.replicas;
      await happens(stack);
      await assertColdPlacesAnswered(stack);
      await replica!.waitFor('redis_unavailable');
      await ends(stack);
      await replica!.waitFor('redis_recovered');
      await becomesReady(replica!);
      await assertColdPlacesAnswered(stack);
    });
  }

  it('when Redis loses everything', async (t) => {
    const stack = await startStack(t, OPTIONS);
    await administer(stack.redis, (redis) => redis.flushall());
    await assertColdPlacesAnswered(stack);
  });

  it('when Redis is not there at the start', async (t) => {
    const env = { ...ENV, REDIS_URL: `redis://127.0.0.1:${await freePort()}` };
    await assertColdPlacesAnswered(await startProcesses(t, { replicas: 1, workers: 0, env }));
  });
});
