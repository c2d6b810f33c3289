import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { REMOTE_PROVIDER_NAMES } from '../../../src/config/providers.js';
import { shiftedClock } from '../../support/clock-shift.js';
import { weatherAt } from '../../support/conformance.js';
import { workerFetches } from '../../support/coordinated-fetches.js';
import { cookieOf } from '../../support/cookies.js';
import { eventually } from '../../support/eventually.js';
import { ask } from '../../support/http-client.js';
import { attempt, type Reply } from '../../support/load.js';
import { placePath } from '../../support/places.js';
import { allProvidersAt } from '../../support/providers.js';
import { becomesReady } from '../../support/readiness.js';
import { searchAt } from '../../support/searches.js';
import { startProcesses, startStack } from '../../support/stack.js';
import { steadyHour } from '../../support/steady-hour.js';

const LIMIT = 30;
const WINDOW_SECONDS = 600;

describe('processes whose clocks are minutes apart', () => {
  it('share limits and sessions, run jobs of each other, and know the age of entries', async (t) => {
    const stack = await startStack(t, {
      replicas: 0,
      workers: 0,
      env: {
        TRUST_PROXY: '1',
        RATE_LIMIT_PER_IP: String(LIMIT),
        RATE_LIMIT_PER_IP_WINDOW_SECONDS: String(WINDOW_SECONDS),
        SESSION_TTL_SECONDS: '120',
      },
    });
    for (const offset of ['+300', '-300']) {
      await becomesReady(await stack.addReplica(shiftedClock(offset)));
    }
    await stack.addWorker(shiftedClock('+300'));
    await workerFetches(stack);
    const starts = stack.replicas.map(({ records }) => Date.parse(records[0]!.timestamp));
    assert.ok(starts[0]! - starts[1]! > 500_000, `${starts[0]! - starts[1]!} ms apart`);

    const resets: number[] = [];
    const replies: Reply[] = [];
    for (let n = 0; n < LIMIT * 2; n += 1) {
      const reply = await attempt(stack.url(placePath(n % 2)), {
        headers: { 'X-Forwarded-For': '192.0.2.1' },
      });
      resets.push(Number(reply.headers['x-ratelimit-reset']));
      replies.push(reply);
    }
    const admitted = replies.filter(({ status }) => status === 200);
    assert.equal(admitted.length, LIMIT);
    for (const { headers } of admitted) {
      assert.ok(['MISS', 'HIT'].includes(String(headers['x-cache'])));
      const age = Number(headers.age);
      assert.ok(age >= 0 && age < 60, `${age} s old`);
    }
    // Each replica names the instant by its own clock, as in `Date`. The replicas take turns.
    const [ahead, behind] = resets.slice(0, 2).sort((a, b) => b - a);
    for (const [reset, offset] of [
      [ahead!, 300],
      [behind!, -300],
    ] as const) {
      const seconds = reset - WINDOW_SECONDS - Date.now() / 1000 - offset;
      assert.ok(Math.abs(seconds) < 60, String(resets));
    }
    assert.deepEqual(stack.workers[0]!.of('fetch_job_dropped'), []);
    assert.ok(stack.workers[0]!.of('fetch').length > 0);

    const headers = { 'X-Forwarded-For': '192.0.2.2' };
    const search = (url: string, city: string, cookie = '') =>
      searchAt(url, city, { cookie, headers });
    const [urlAhead, urlBehind] = stack.replicas.map(({ url }) => url) as [string, string];
    const first = await search(urlAhead, 'Berlin');
    const cookie = cookieOf(first);
    for (const [url, city] of [
      [urlBehind, 'Hamburg'],
      [urlAhead, 'Munich'],
    ] as const) {
      const reply = await search(url, city, cookie);
      assert.equal(reply.headers['set-cookie'], undefined, 'the session was not known');
    }
    for (const url of [urlAhead, urlBehind]) {
      const list = await attempt(`${url}/api/v1/recent-searches`, { headers: { cookie } });
      assert.match(list.text, /Munich.*Hamburg.*Berlin/);
    }
  });
});

const THREE_WEEKS = 21 * 86_400;

describe('a process whose clock is three weeks wrong', () => {
  beforeEach(steadyHour);
  // Points in the United States, which every provider covers.
  const POINT = ['39.7392', '-104.9903'] as const;

  for (const offset of [`+${THREE_WEEKS}`, `-${THREE_WEEKS}`]) {
    it(`has no current weather, and logs the times of both clocks (${offset} s)`, async (t) => {
      const processes = await startProcesses(t, { replicas: 0, workers: 0 });
      const { url, records } = await processes.addReplica({
        ...shiftedClock(offset),
        ...allProvidersAt(processes.upstream.url),
      });
      const aheadMs = Date.parse(records[0]!.timestamp) - Date.now();
      assert.ok(Math.abs(aheadMs - Number(offset) * 1000) < 60_000, `${aheadMs} ms`);
      for (const longitude of [POINT[1], '-104.5']) {
        assert.equal((await ask(url + weatherAt(POINT[0], longitude))).status, 503);
      }
      const differing = records.filter(({ event }) => event === 'clocks_differ');
      assert.deepEqual(
        differing.map(({ provider }) => provider as string).sort(),
        [...REMOTE_PROVIDER_NAMES].sort(),
      );
    });
  }

  it('serves the current weather that processes with right clocks have fetched', async (t) => {
    const stack = await startStack(t, { replicas: 0, workers: 0 });
    const ahead = await stack.addReplica(shiftedClock(`+${THREE_WEEKS}`));
    const right = await stack.addReplica();
    for (const replica of [ahead, right]) await becomesReady(replica);
    const target = weatherAt(...POINT);
    await eventually(async () => (await ask(right.url + target)).status === 200, 'weather');
    const { status, headers } = await ask(ahead.url + target);
    assert.deepEqual([status, headers['x-cache']], [200, 'HIT']);
  });
});
