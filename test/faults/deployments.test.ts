import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { eventually } from '../support/eventually.js';
import { workerFetches } from '../support/coordinated-fetches.js';
import { cookieOf } from '../support/cookies.js';
import { suiteLifetime } from '../support/lifetime.js';
import { attempt, burst, tally, type Reply } from '../support/load.js';
import { QUEUE } from '../support/names.js';
import { placeKey, placePath } from '../support/places.js';
import { becomesReady } from '../support/readiness.js';
import { startRedis, type RedisServer } from '../support/redis-server.js';
import { searchAt } from '../support/searches.js';
import { startProcesses, type Processes } from '../support/stack.js';
import { PATHS } from '../support/stub-provider.js';

const temperatureOf = ({ json }: Reply) => (json as { temperature: number }).temperature;
const HOT = [1, 2, 3, 4, 5];
/** A replica that has heard no worker for so long knows that there is none. */
const KNOWN_AFTER_MS = 3500;
const WARMER_BY = 7;
const LIMIT = 50;

for (const [what, apart] of [
  ['two databases', (url: string) => ({ REDIS_URL: `${url}/1` })],
  ['two prefixes', (url: string) => ({ REDIS_URL: url, REDIS_PREFIX: 'staging' })],
] as const) {
  describe(`deployments in ${what} of one Redis`, () => {
    const lifetime = suiteLifetime();
    let redis: RedisServer;
    let ours: Processes;
    let theirs: Processes;
    before(async () => {
      redis = await startRedis();
      const limits = { TRUST_PROXY: '1', RATE_LIMIT_PER_IP: String(LIMIT) };
      ours = await startProcesses(lifetime, {
        ...{ replicas: 1, workers: 0, env: { ...limits, REDIS_URL: redis.url } },
      });
      theirs = await startProcesses(lifetime, {
        ...{ replicas: 1, workers: 1, env: { ...limits, ...apart(redis.url) } },
      });
      theirs.upstream.world.warmerBy = WARMER_BY;
      await Promise.all([ours, theirs].map(({ replicas }) => becomesReady(replicas[0]!)));
    });
    // Before the processes would be too early.
    lifetime.after(() => redis.stop());

    it('never show one another’s weather, and do not wait for one another’s workers', async (t) => {
      const askAll = (processes: typeof ours) =>
        Promise.all(HOT.map((n) => attempt(processes.url(placePath(n)))));

      const first = (await askAll(ours)).map(temperatureOf);
      // Places of their own: now their worker is at work, and tells it.
      await workerFetches(theirs);
      const others = (await askAll(theirs)).map(temperatureOf);
      for (const [n, temperature] of others.entries()) {
        assert.ok(Math.abs(temperature - first[n]! - WARMER_BY) < 0.05, 'other providers');
      }
      assert.deepEqual((await askAll(ours)).map(temperatureOf), first);

      // A cold place is fetched here, and no job is left for a worker that is not ours.
      const observer = new Redis(redis.url);
      t.after(() => {
        observer.disconnect();
      });
      await sleep(KNOWN_AFTER_MS);
      const jobs = await observer.xlen(`${QUEUE}:events`);
      for (const n of [11, 12, 13]) {
        assert.equal((await attempt(ours.url(placePath(n)))).status, 200);
      }
      assert.equal(await observer.xlen(`${QUEUE}:events`), jobs);
    });

    it('fetch the same city at the same moment, each from its own provider', async () => {
      const path = '/api/v1/weather?city=Berlin&country=Germany';
      const headers = { 'X-Forwarded-For': '192.0.2.2' };
      const ask = (processes: Processes) =>
        burst(
          Array.from({ length: 8 }, () => processes.url(path)),
          { headers },
        );
      const [here, there] = await Promise.all([ask(ours), ask(theirs)]);
      const only = (replies: Reply[]) => [...new Set(replies.map(temperatureOf))];
      const [[mine, ...noOther], [other, ...none]] = [only(here), only(there)];
      assert.deepEqual([...noOther, ...none], []);
      assert.ok(Math.abs(other! - mine! - WARMER_BY) < 0.05);
    });

    it('do not count one another’s requests, and know none of one another’s sessions', async () => {
      const headers = { 'X-Forwarded-For': '192.0.2.1' };
      const paths = Array.from({ length: LIMIT + 10 }, () => placePath(1));
      for (const processes of [ours, theirs]) {
        const replies = await burst(
          paths.map((path) => processes.url(path)),
          { headers },
        );
        assert.equal(tally(replies)['429'], 10);
      }
      const cookie = cookieOf(await searchAt(ours.url(''), 'Hamburg'));
      for (const [processes, length] of [
        [ours, 1],
        [theirs, 0],
      ] as const) {
        const list = await attempt(processes.url('/api/v1/recent-searches'), {
          headers: { cookie },
        });
        assert.equal((list.json as { recent_searches: unknown[] }).recent_searches.length, length);
      }
    });

    it('do not receive the messages of each other', async (t) => {
      const observer = new Redis(redis.url);
      t.after(() => {
        observer.disconnect();
      });
      const channels = (await observer.pubsub('CHANNELS', '*fetched*')) as string[];
      assert.equal(channels.length, 2, channels.join(', '));
      const heard = new Map<string, string>();
      const subscriber = observer.duplicate();
      t.after(() => {
        subscriber.disconnect();
      });
      subscriber.on('message', (channel: string, text: string) => heard.set(text, channel));
      await subscriber.subscribe(...channels);
      for (const processes of [theirs, ours]) {
        assert.equal((await attempt(processes.url(placePath(21)))).status, 200);
      }
      assert.equal(ours.upstream.count(PATHS.openMeteo, placeKey(21)), 1);
      assert.equal(theirs.upstream.count(PATHS.openMeteo, placeKey(21)), 1);
      await eventually(() => heard.size >= 2, 'both messages');
      assert.equal(new Set(heard.values()).size, 2);
    });
  });
}
