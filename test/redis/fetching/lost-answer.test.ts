import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Redis } from 'ioredis';
import { StoreUnavailableError } from '../../../src/errors.js';
import { systemClock as clock } from '../../../src/process/clock.js';
import { createFetchRecords, type Mode } from '../../../src/redis/fetching/record.js';
import { cachedNow } from '../../../src/weather/cache.js';
import { requestKey, weatherRequest } from '../../../src/weather/request.js';
import { eventually } from '../../support/eventually.js';
import { plainRedisStore } from '../../support/plain-redis-store.js';
import { startRedis } from '../../support/redis-server.js';
import { scope } from '../../support/scope.js';
import { LIFE, startMember } from './interleavings/member.js';
import { createWitness } from './interleavings/witness.js';

const request = weatherRequest({ latitude: 48, longitude: 11 });
const another = weatherRequest({ latitude: 50, longitude: 11 });
const key = requestKey(request);

describe('the asker of a fetch', () => {
  it('answers for it also when Redis was unavailable for a moment at the end', async (t) => {
    const server = await startRedis();
    const redis = new Redis(server.url);
    const witness = await createWitness(server.url);
    const recordsOf = (processId: string) =>
      createFetchRecords(plainRedisStore(redis), { clock, processId });
    const ask = (processId: string, mode: Mode) =>
      recordsOf(processId).ask(key, { mode, fetchId: 'f', token: 'worker', freshForMs: 0 });

    // The first question while it waits finds the fetch ended, and its answer is lost.
    let isLost = false;
    async function endFetch(): Promise<void> {
      const weather = { temperature: 1, condition: 'Fog', humidity: 90, wind_speed: 3 };
      const value = { kind: 'weather', weather, provider: 'x' } as const;
      const outcome = { cached: cachedNow(value, LIFE, clock.monotonic(), 'fetch-1') };
      const end = { fetchId: 'f', token: 'worker', by: 'worker', outcome } as const;
      assert.equal(await recordsOf('worker').end(key, end), 'asker');
    }
    const asker = await startMember({
      ...{ name: 'asker', port: server.port, isWorker: false },
      moodOf: () => ({ afterMs: 0, fails: false }),
      witness: {
        ...witness,
        observe: (_process, records) => ({
          ...records,
          async ask(...args) {
            if (args[1].mode !== 'wait' || isLost) return records.ask(...args);
            isLost = true;
            await endFetch();
            throw new StoreUnavailableError('The answer is lost');
          },
        }),
      },
    });
    t.after(async () => {
      await asker.close();
      witness.close();
      redis.disconnect();
      await server.stop();
    });

    await eventually(async () => {
      const told = asker.records.length;
      await asker.queue.ask(another, scope(), true);
      return asker.records.length === told;
    }, 'a connection');
    asker.subscriber.cut();
    await ask('asker', 'queue');
    await ask('worker', 'take');
    const asked = await asker.queue.ask(request, scope(), true);
    assert.equal(asked.kind, 'fetch');
    assert.deepEqual([(await asked.end).caused, isLost], [true, true]);
  });
});
