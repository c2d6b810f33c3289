import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../support/eventually.js';
import { assertOutcomes, attempt, type Reply } from '../support/load.js';
import { placeKey, placePath } from '../support/places.js';
import { freePort } from '../support/redis-server.js';
import { providersAt } from '../support/service.js';
import { startStack } from '../support/stack.js';
import { PATHS, startStubProvider, type Behavior } from '../support/stub-provider.js';

/** Milliseconds. Shorter than by default, so that swallowed packets cost less time. */
const TIMEOUT_MS = 1500;
const SERVED = /^200 (MISS|HIT|COALESCED)$/;

/** Requests places one after the other. */
async function inTurn(urls: string[]): Promise<Reply[]> {
  const replies: Reply[] = [];
  for (const url of urls) replies.push(await attempt(url));
  return replies;
}

/** Starts a replica, and another one whose providers are behind an address of its own. */
async function start(t: TestContext, sickUrl: string, env: Record<string, string> = {}) {
  const common = { UPSTREAM_TIMEOUT_MS: String(TIMEOUT_MS), ...env };
  const stack = await startStack(t, { replicas: 1, workers: 0, env: common });
  const healthy = stack.replicas[0]!;
  const sick = await stack.addReplica({
    REDIS_URL: stack.redis.url,
    ...common,
    ...providersAt(sickUrl),
  });
  const failedAtSick = () => sick.of('fetch').filter(({ outcome }) => outcome === 'failed').length;
  return { stack, healthy, sick, failedAtSick };
}

const numbers = (from: number, count: number) => Array.from({ length: count }, (_, n) => from + n);

describe('a replica that reaches no provider', { concurrency: 2 }, () => {
  const shapes: [string, Behavior | undefined][] = [
    ['its port is closed', undefined],
    [
      'its quota of a day is used up',
      { kind: 'status', status: 429, headers: { 'retry-after': '80000' } },
    ],
    ['its packets are swallowed', { kind: 'hang' }],
  ];
  for (const [shape, behavior] of shapes) {
    it(`fails no request of another replica: ${shape}`, async (t) => {
      const provider = await startStubProvider();
      t.after(() => provider.close());
      if (behavior) provider.behaveAll(behavior);
      const url = behavior ? provider.url : `http://127.0.0.1:${await freePort()}`;
      const { stack, healthy, sick, failedAtSick } = await start(t, url, {
        CACHE_TTL_SECONDS: '5',
      });
      const at = (n: number) => healthy.url + placePath(n);

      assertOutcomes(await inTurn(numbers(0, 20).map(at)), SERVED);
      const waves = [100, 124, 148].map((from) => numbers(from, 24).map(at));
      for (const wave of waves) {
        assertOutcomes(await Promise.all(wave.map((each) => attempt(each))), SERVED);
      }
      await sleep(5000);
      const again = await inTurn(numbers(0, 10).map(at));
      assertOutcomes(again, /^200 MISS$/);
      // The first failures, and single attempts.
      assert.ok(failedAtSick() <= 16, `${failedAtSick()} failed fetches`);
      // Its worker pauses. A dropped job costs the other replica a round trip to Redis.
      const dropped = sick.of('fetch_job_dropped').length;
      assert.ok(dropped <= 16, `${dropped} dropped jobs`);
      // Its own clients have the fetches of the other replica.
      await eventually(
        async () => (await attempt(sick.url + placePath(200))).status === 200,
        'data',
      );
      assert.equal(
        stack.upstream.calls.some(({ key }) => key === placeKey(200)),
        true,
      );
      assert.ok(!healthy.records.some(({ event }) => event === 'breaker_open'));
    });
  }

  it('lets no request wait for the timeouts of several providers', async (t) => {
    const provider = await startStubProvider();
    t.after(() => provider.close());
    provider.behaveAll({ kind: 'hang' });
    const { healthy } = await start(t, provider.url, {
      UPSTREAM_TIMEOUT_MS: '3500',
      REQUEST_TIMEOUT_MS: '6500',
    });
    const urls = numbers(0, 12).map((n) => healthy.url + placePath(n));
    assertOutcomes(await Promise.all(urls.map((each) => attempt(each))), SERVED);
    assert.ok(provider.calls.length > 0);
  });

  it('takes jobs again when it reaches a provider again', async (t) => {
    const provider = await startStubProvider();
    t.after(() => provider.close());
    provider.behaveAll({ kind: 'status', status: 500 });
    const { healthy, sick, failedAtSick } = await start(t, provider.url);
    let n = 0;
    // Which replica takes a job is chance.
    const requestsUntil = (isDone: () => boolean, what: string) =>
      eventually(async () => {
        assertOutcomes([await attempt(healthy.url + placePath((n += 1)))], SERVED);
        return isDone();
      }, what);
    await requestsUntil(() => failedAtSick() > 0, 'a failure of the other replica');
    provider.reset();
    const fetched = () => sick.of('fetch').filter(({ outcome }) => outcome === 'ok').length;
    await requestsUntil(() => fetched() > 3, 'jobs of the other replica');
  });

  it('runs jobs by its other providers if it reaches one of them', async (t) => {
    const provider = await startStubProvider();
    t.after(() => provider.close());
    provider.behave(PATHS.openMeteo, { kind: 'reset' });
    const { healthy, sick, failedAtSick } = await start(t, provider.url);
    assertOutcomes(await inTurn(numbers(0, 20).map((n) => healthy.url + placePath(n))), SERVED);
    await sick.waitFor('fetch', ({ provider: name }) => name === 'met-norway');
    assert.equal(failedAtSick(), 0);
  });
});

it('every request is answered while no replica reaches a provider', async (t) => {
  const stack = await startStack(t, { replicas: 2, workers: 0 });
  stack.upstream.behaveAll({ kind: 'status', status: 500 });
  for (const n of numbers(0, 8)) {
    assert.equal((await attempt(stack.url(placePath(n)))).status, 503);
  }
  for (const replica of stack.replicas) await replica.waitFor('breaker_open');
  const before = stack.upstream.calls.length;
  const replies = await inTurn(numbers(20, 12).map((n) => stack.url(placePath(n))));
  assertOutcomes(replies, /^503/);
  // Half-open calls at most: two providers, two replicas.
  assert.ok(stack.upstream.calls.length - before <= 4);
  stack.upstream.reset();
  let n = 100;
  await eventually(
    async () => (await attempt(stack.url(placePath((n += 1))))).status === 200,
    'a value',
  );
});
