import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createResponseTimes } from '../../src/weather/recent-searches.js';

describe('the times of responses', () => {
  it('are those of the monotonic clock, in microseconds', () => {
    const nextAnswerUs = createResponseTimes(() => 1_003.363);
    assert.equal(nextAnswerUs(), 1_003_363);
  });

  it('are in the order of the responses, also within a microsecond', () => {
    const times = [1000.2, 1000.2, 1000.2004, 1000.3];
    const nextAnswerUs = createResponseTimes(() => times.shift()!);
    const answers = Array.from({ length: 4 }, nextAnswerUs);
    assert.deepEqual(answers, [1_000_200, 1_000_201, 1_000_202, 1_000_300]);
  });
});
