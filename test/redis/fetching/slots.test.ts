import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createSlots } from '../../../src/redis/fetching/slots.js';

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
