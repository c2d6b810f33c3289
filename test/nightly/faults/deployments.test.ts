import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { workerFetches } from '../../support/coordinated-fetches.js';
import { cookieOf } from '../../support/cookies.js';
import { suiteLifetime } from '../../support/lifetime.js';
import { attempt, burst, tally, type Reply } from '../../support/load.js';
import { placePath } from '../../support/places.js';
import { becomesReady } from '../../support/readiness.js';
import { startRedis, type RedisServer } from '../../support/redis-server.js';
import { searchAt } from '../../support/searches.js';
import { startProcesses, type Processes } from '../../support/stack.js';
import { PATHS } from '../../support/stub-provider.js';

const WARMER_BY = 7;
const LIMIT = 50;
const SEPARATIONS = [
  ['two databases', (url: string) => ({ REDIS_URL: `${url}/1` })],
  ['two prefixes', (url: string) => ({ REDIS_URL: url, REDIS_PREFIX: 'staging' })],
] as const;

/** The temperatures in replies, without repetitions. */
function temperatures(replies: Reply[]): number[] {
  return [...new Set(replies.map(({ json }) => (json as { temperature: number }).temperature))];
}

for (const [what, separate] of SEPARATIONS) {
  describe(`deployments in ${what} of one Redis`, () => {
    const lifetime = suiteLifetime();
    let redis: RedisServer;
    let ours: Processes;
    let theirs: Processes;
    before(async () => {
      redis = await startRedis();
      const limits = { TRUST_PROXY: '1', RATE_LIMIT_PER_IP: String(LIMIT) };
      const ourEnv = { ...limits, REDIS_URL: redis.url };
      const theirEnv = { ...limits, ...separate(redis.url) };
      ours = await startProcesses(lifetime, { replicas: 1, workers: 0, env: ourEnv });
      theirs = await startProcesses(lifetime, { replicas: 1, workers: 1, env: theirEnv });
      theirs.upstream.world.warmerBy = WARMER_BY;
      await Promise.all([ours, theirs].map(({ replicas }) => becomesReady(replicas[0]!)));
      await workerFetches(theirs);
    });
    // Closers run in reverse order: Redis stops after the processes.
    lifetime.after(() => redis.stop());

    it('fetch the same city at the same moment, each from its own provider', async () => {
      const headers = { 'X-Forwarded-For': '192.0.2.2' };
      const request = (processes: Processes, path: string) =>
        burst(
          Array.from({ length: 8 }, () => processes.url(path)),
          { headers },
        );
      // Their replica still waits for a message when ours publishes one about the same key.
      theirs.upstream.behave(PATHS.openMeteo, { kind: 'ok', delayMs: 1000 });
      for (const path of ['/api/v1/weather?city=Berlin&country=Germany', placePath(1)]) {
        const [mine, other] = await Promise.all([request(ours, path), request(theirs, path)]);
        const [[temperature = NaN, ...rest], [warmer = NaN, ...others]] = [
          temperatures(mine),
          temperatures(other),
        ];
        assert.deepEqual([...rest, ...others], []);
        assert.ok(Math.abs(warmer - temperature - WARMER_BY) < 0.05, `${temperature}, ${warmer}`);
      }
    });

    it('share neither rate limits nor sessions', async () => {
      const headers = { 'X-Forwarded-For': '192.0.2.1' };
      const paths = Array.from({ length: LIMIT + 10 }, () => placePath(1));
      for (const { url } of [ours, theirs]) {
        assert.equal(tally(await burst(paths.map(url), { headers }))['429'], 10);
      }
      const cookie = cookieOf(await searchAt(ours.url(''), 'Hamburg'));
      const lists = await Promise.all(
        [ours, theirs].map(({ url }) =>
          attempt(url('/api/v1/recent-searches'), { headers: { cookie } }),
        ),
      );
      const lengths = lists.map(
        ({ json }) => (json as { recent_searches: unknown[] }).recent_searches.length,
      );
      assert.deepEqual(lengths, [1, 0]);
    });
  });
}
