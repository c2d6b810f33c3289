import assert from 'node:assert/strict';
import { fetchedAlone } from './agreed-fetches.js';
import { burst, tally, type Reply } from './load.js';
import { placePath } from './places.js';
import type { Stack } from './stack.js';

/** So many clients ask for one place at the same moment, one replica after the other. */
export const crowd = (stack: Stack, n: number, clients = 100): Promise<Reply[]> =>
  burst(Array.from({ length: clients }, () => stack.url(placePath(n))));

/** A fetch that one process began and another one ran is a miss of each. */
export function assertTakenOver(stack: Stack, n: number, replies: Reply[]): void {
  const {
    '200 MISS': misses = 0,
    '200 COALESCED': coalesced = 0,
    '200 HIT': hits = 0,
  } = tally(replies);
  assert.equal(misses + coalesced + hits, replies.length, JSON.stringify(tally(replies)));
  assert.ok(misses <= 2 + fetchedAlone(stack, n), `${misses} misses`);
}
