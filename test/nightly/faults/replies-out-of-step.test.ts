import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cookieOf } from '../../support/cookies.js';
import { attempt } from '../../support/load.js';
import { createRandom } from '../../support/random.js';
import { becomesReady } from '../../support/readiness.js';
import { startRedis } from '../../support/redis-server.js';
import { startRelay } from '../../support/relay.js';
import { searchAt } from '../../support/searches.js';
import { SEED } from '../../support/seed.js';
import { startProcesses } from '../../support/stack.js';

const CLIENTS = 6;
const ROUNDS = 25;
const LIST = '/api/v1/recent-searches';
/** A search of each client, which no other client makes. */
const CITIES = ['Berlin', 'Hamburg', 'Munich', 'Cologne', 'Stuttgart', 'Leipzig'];

/** Redis behind a proxy that sometimes loses or repeats what Redis sends. */
describe('replies of Redis that are out of step', () => {
  for (const [what, parts] of [
    ['repeated', (bytes: Buffer) => [bytes, bytes]],
    ['lost', () => []],
  ] as const) {
    it(`never give a client the data of another one, nor a 500, nor end a process: ${what}`, async (t) => {
      const random = createRandom(SEED);
      const redis = await startRedis();
      const relay = await startRelay(t, redis.port);
      const stack = await startProcesses(t, {
        ...{ replicas: 2, workers: 1, store: redis, redisRefuses: true },
        env: { REDIS_URL: `redis://127.0.0.1:${relay.port}` },
      });
      await Promise.all(stack.replicas.map((replica) => becomesReady(replica)));
      const cookies = await Promise.all(
        CITIES.map(async (city) => cookieOf(await searchAt(stack.url(''), city))),
      );
      let tampered = 0;
      relay.tamperBy((bytes) => {
        if (!random.chance(0.06)) return [bytes];
        tampered += 1;
        return parts(bytes);
      });
      const statuses = new Set<number>();
      await Promise.all(
        Array.from({ length: CLIENTS }, async (_, n) => {
          const [city, cookie] = [CITIES[n]!, cookies[n]!];
          for (let round = 0; round < ROUNDS; round += 1) {
            const search = await searchAt(stack.url(''), city, { cookie });
            const { status, text } = await attempt(stack.url(LIST), { headers: { cookie } });
            for (const each of [search.status, status]) statuses.add(each);
            const others = CITIES.filter((other) => other !== city && text.includes(other));
            assert.deepEqual(others, [], text);
          }
        }),
      );
      assert.ok(tampered > 5, `${tampered} chunks`);
      assert.deepEqual(
        [...statuses].filter((status) => status !== 200 && status !== 503),
        [],
      );
      relay.tamperBy((bytes) => [bytes]);
      for (const replica of stack.replicas) await becomesReady(replica);
      for (const service of [...stack.replicas, ...stack.workers]) {
        assert.deepEqual(service.of('uncaught_exception'), []);
      }
    });
  }
});
