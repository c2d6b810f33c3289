import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createInstants } from '../src/recent-searches.js';

describe('the instants of responses', () => {
  it('are those of the clock, in microseconds', () => {
    const nextInstantUs = createInstants(() => 1_795_333_258_003.363);
    assert.equal(nextInstantUs(), 1_795_333_258_003_363);
  });

  it('are in the order of the responses, also when the clock stands still or steps back', () => {
    const times = [1000.2, 1000.2, 1000.2004, 900, 1000.3];
    const nextInstantUs = createInstants(() => times.shift()!);
    const instants = Array.from({ length: 5 }, nextInstantUs);
    assert.deepEqual(instants, [1_000_200, 1_000_201, 1_000_202, 1_000_203, 1_000_300]);
  });
});
