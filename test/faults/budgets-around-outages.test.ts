import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { Redis } from 'ioredis';
import { eventually } from '../support/eventually.js';
import { attempt } from '../support/load.js';
import { placePath } from '../support/places.js';
import { freePort } from '../support/redis-server.js';
import { startProcesses, startStack, type Processes, type Stack } from '../support/stack.js';

/** Default production: one provider, whose budget is far from spent. */
const ENV = {
  WEATHER_PROVIDERS: 'open-meteo',
  PROVIDER_BUDGETS: 'open-meteo=600/60,5000/3600,10000/86400',
  // Longer than a fetch takes on a busy machine, and shorter than any window of a budget.
  REQUEST_TIMEOUT_MS: '15000',
};
/** The gazetteer lacks these names: the geocoder is asked for them. */
const UNKNOWN_NAMES = ['city=Zeroville&country=Ghana', 'city=Adminia&country=Italy'];

function commands(t: TestContext, stack: Stack): Redis {
  const redis = new Redis(stack.redis.url);
  t.after(() => {
    redis.disconnect();
  });
  return redis;
}

/** A wait for a window of a budget would end with the request's time: 503. */
async function assertColdPlacesAnswered(processes: Processes, from: number): Promise<void> {
  const names = UNKNOWN_NAMES.map((name) => `/api/v1/weather?${name}`);
  const places = [placePath(from), placePath(from + 1), ...names];
  const replies = await Promise.all(places.map((path) => attempt(processes.url(path))));
  assert.deepEqual(
    replies.map(({ status }) => status),
    places.map(() => 200),
  );
}

describe('one provider with a budget: cold places are answered without a wait', () => {
  const TROUBLES: [string, (stack: Stack, t: TestContext) => Promise<unknown>][] = [
    ['Redis is killed', ({ redis }) => redis.kill('SIGKILL')],
    ['Redis hangs', ({ redis }) => redis.kill('SIGSTOP')],
    ['Redis is read-only', (stack, t) => commands(t, stack).replicaof('127.0.0.1', 1)],
    ['Redis loses everything', (stack, t) => commands(t, stack).flushall()],
  ];
  for (const [trouble, happens] of TROUBLES) {
    it(`when ${trouble}`, async (t) => {
      const stack = await startStack(t, { replicas: 1, workers: 1, env: ENV });
      assert.equal((await attempt(stack.url(placePath(0)))).status, 200);
      await happens(stack, t);
      await assertColdPlacesAnswered(stack, 1);
    });
  }

  it('when Redis comes back after an outage', async (t) => {
    const stack = await startStack(t, { replicas: 1, workers: 0, env: ENV });
    assert.equal((await attempt(stack.url(placePath(0)))).status, 200);
    await stack.redis.kill('SIGKILL');
    await stack.replicas[0]!.waitFor('redis_degraded');
    await stack.redis.restart();
    await eventually(
      () => stack.replicas[0]!.of('redis_recovered').length > 0,
      'the end of the outage',
    );
    await assertColdPlacesAnswered(stack, 1);
  });

  it('when Redis is not there at the start', async (t) => {
    const env = { ...ENV, REDIS_URL: `redis://127.0.0.1:${await freePort()}` };
    await assertColdPlacesAnswered(await startProcesses(t, { replicas: 1, workers: 0, env }), 1);
  });
});
