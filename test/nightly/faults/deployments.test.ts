import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { workerFetches } from '../../support/coordinated-fetches.js';
import { suiteLifetime } from '../../support/lifetime.js';
import { burst, type Reply } from '../../support/load.js';
import { placePath } from '../../support/places.js';
import { becomesReady } from '../../support/readiness.js';
import { startRedis, type RedisServer } from '../../support/redis-server.js';
import { startProcesses, type Processes } from '../../support/stack.js';
import { PATHS } from '../../support/stub-provider.js';

const WARMER_BY = 7;
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
      const ourEnv = { REDIS_URL: redis.url };
      ours = await startProcesses(lifetime, { replicas: 1, workers: 0, env: ourEnv });
      const theirEnv = separate(redis.url);
      theirs = await startProcesses(lifetime, { replicas: 1, workers: 1, env: theirEnv });
      theirs.upstream.world.warmerBy = WARMER_BY;
      await Promise.all([ours, theirs].map(({ replicas }) => becomesReady(replicas[0]!)));
      await workerFetches(theirs);
    });
    // Closers run in reverse order: Redis stops after the processes.
    lifetime.after(() => redis.stop());

    it('fetch the same city at the same moment, each from its own provider', async () => {
      const request = (processes: Processes, path: string) =>
        burst(Array.from({ length: 8 }, () => processes.url(path)));
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
  });
}
