import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createSlots } from '../../../src/redis/fetching/fetch-worker.js';
import { createNames } from '../../../src/redis/names.js';
import { eventually } from '../../support/eventually.js';
import { useRedis } from '../../support/use-redis.js';
import { startMember } from './fleet.js';

const NAMES = createNames('worker', 0);
const TTL = { freshMs: 60_000, staleMs: 60_000 };

describe('a worker whose commands Redis rejects', () => {
  const redis = useRedis();

  it('is unhealthy until Redis accepts them', async (t) => {
    const worker = await startMember(t, {
      ...{ port: Number(new URL(redis.url).port), names: NAMES, role: 'worker' },
      provider: { delayMs: 0, ttl: TTL },
    });
    const failures = () => worker.records.filter(({ event }) => event === 'worker_failing');
    assert.equal(worker.isHealthy(), true);

    // The command by which BullMQ waits for a job.
    await redis.client.call('ACL', 'SETUSER', 'default', '-bzpopmin');
    await eventually(() => failures().length > 0, 'a record');
    assert.equal(worker.isHealthy(), false);

    await redis.client.call('ACL', 'SETUSER', 'default', '+bzpopmin');
    await eventually(() => worker.isHealthy() === true, 'a healthy worker');
    assert.equal(failures().length, 1);
  });
});

it('a slot is free since the end of the job before which all slots were taken', async () => {
  let now = 0;
  const slots = createSlots(2, { monotonic: () => now });
  const ends: (() => void)[] = [];
  const take = () => slots.take(() => new Promise<void>((resolve) => ends.push(resolve)));
  assert.equal(slots.freeForMs(), Infinity);
  const jobs = [take(), take()];
  assert.equal(slots.freeForMs(), -1);
  for (const index of [0, 1]) {
    now += 5;
    ends[index]?.();
    await jobs[index];
    assert.equal(slots.freeForMs(), now - 5);
  }
});
