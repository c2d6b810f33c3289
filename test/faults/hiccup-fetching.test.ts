import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { workerFetches } from '../support/agreed-fetches.js';
import { startApart, type Apart } from '../support/apart.js';
import { eventually } from '../support/eventually.js';
import { hiccup } from '../support/hiccup.js';
import { assertOutcomes, attempt, burst, type Reply } from '../support/load.js';
import { names } from '../support/names.js';
import { placeKey, placePath, requestKey } from '../support/places.js';
import { createRandom } from '../support/random.js';
import { administer } from '../support/redis-server.js';
import { PATHS } from '../support/stand-in.js';
import { SEED } from '../support/seed.js';

const random = createRandom(SEED);

const FETCH_MS = 1500;
const HICCUP_MS = 450;

const numbers = (from: number, count: number) => Array.from({ length: count }, (_, n) => from + n);

/** Asks for cold places, and waits until so many calls are in flight. */
async function asked(
  apart: Apart,
  places: number[],
  inFlight: number,
): Promise<Promise<Reply[]>[]> {
  apart.upstream.reset();
  apart.upstream.behave(PATHS.openMeteo, { kind: 'ok', delayMs: FETCH_MS });
  const replies = burst(places.map((n) => apart.url(placePath(n))));
  await eventually(() => apart.upstream.count(PATHS.openMeteo) >= inFlight, 'calls in flight');
  return [replies];
}

/** No place was called for twice. */
function assertOneCallEach({ upstream }: Apart, places: number[]): void {
  const twice = places.filter((n) => upstream.count(PATHS.openMeteo, placeKey(n)) !== 1);
  assert.deepEqual(twice, [], 'places that were not called for once');
}

describe('a hiccup of Redis while fetches are in flight', () => {
  it('at a replica: who waits goes on waiting, and no call is made twice', async (t) => {
    const apart = await startApart(t, {
      ...{ replicas: 2, workers: 2, env: { UPSTREAM_CONCURRENCY: '16' } },
    });
    await workerFetches(apart);
    const places = numbers(100, 64);
    const [replies] = await asked(apart, places, 20);
    await sleep(random.next() * 300);
    await hiccup(apart.relays[0]!, HICCUP_MS, HICCUP_MS);
    assertOutcomes(await replies!, /^200 MISS$/);
    assertOneCallEach(apart, places);
  });

  it('at the worker: what it has fetched is told when Redis can be reached again', async (t) => {
    const apart = await startApart(t, {
      ...{ replicas: 2, workers: 1, env: { UPSTREAM_CONCURRENCY: '16' } },
    });
    await workerFetches(apart);
    const places = numbers(200, 12);
    const [replies] = await asked(apart, places, 12);
    await sleep(400);
    await hiccup(apart.relays[2]!, 500, 500);
    const all = await replies!;
    assertOutcomes(all, /^200 MISS$/);
    assertOneCallEach(apart, places);
  });

  it('at a replica that is asked for cold places: what it fetches alone is shared', async (t) => {
    const apart = await startApart(t, { replicas: 2, workers: 1 });
    await workerFetches(apart);
    apart.upstream.reset();
    const places = numbers(400, 8);
    const [cut, other] = apart.replicas.map(({ url }) => places.map((n) => url + placePath(n)));
    apart.relays[0]!.cut();
    const replies = burst(cut!);
    await sleep(HICCUP_MS);
    apart.relays[0]!.mend();
    assertOutcomes(await replies, /^200 MISS$/);
    const keys = places.map((n) => names.entry(requestKey(n)));
    const kept = () => administer(apart.redis, (client) => client.exists(keys));
    await eventually(async () => (await kept()) === places.length, 'entries in Redis');
    assertOutcomes(await burst(other!), /^200 HIT$/);
    assertOneCallEach(apart, places);
  });

  it('at a worker that takes jobs: each is begun once', async (t) => {
    const apart = await startApart(t, {
      ...{ replicas: 2, workers: 2, env: { UPSTREAM_CONCURRENCY: '16' } },
    });
    await workerFetches(apart);
    apart.upstream.reset();
    apart.upstream.behave(PATHS.openMeteo, { kind: 'ok', delayMs: 300 });
    const places = numbers(300, 20);
    const late = hiccup(apart.relays[2]!, HICCUP_MS, HICCUP_MS);
    const replies: Promise<Reply>[] = [];
    for (const n of places) {
      replies.push(attempt(apart.url(placePath(n))));
      await sleep(25);
    }
    await late;
    assertOutcomes(await Promise.all(replies), /^200 MISS$/);
    assertOneCallEach(apart, places);
  });
});
