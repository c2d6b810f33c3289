import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { UpstreamError } from '../../src/base/errors.js';
import { assertCurrent, readAtReferenceTime } from '../../src/providers/reference-time.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW = Date.parse('2026-11-24T12:00Z');

describe('the time of current weather', () => {
  it('is at most three hours in the past and one hour in the future', () => {
    for (const offset of [-3 * HOUR_MS, 0, HOUR_MS]) assertCurrent('x', NOW + offset, NOW);
    const wrong: [at: number, message: string][] = [
      [NOW - 3 * HOUR_MS - 1, 'x: the weather is old'],
      [NOW - 4 * DAY_MS, 'x: the weather is old'],
      [NOW + HOUR_MS + 1, 'x: the weather is of the future'],
      [Infinity, 'x: the weather is of the future'],
      [NaN, 'x: the weather has no time'],
    ];
    for (const [at, message] of wrong) {
      const check = () => {
        assertCurrent('x', at, NOW);
      };
      assert.throws(check, { kind: 'no_data', message });
    }
  });
});

describe('data that is read at its reference time', () => {
  /** Reads data for an instant. */
  const weatherOf = (at: number) => (now: number) => {
    assertCurrent('x', at, now);
    return 'weather';
  };

  const readAt = (referenceTimes: number[], read: (now: number) => string) =>
    readAtReferenceTime({ body: 'body', referenceTimes }, (body, now) => {
      assert.equal(body, 'body');
      return read(now);
    });

  it('is read by the first clock for which it is current, and keeps the time of that clock', () => {
    const ahead = NOW + 8 * DAY_MS;
    for (const referenceTimes of [
      [NOW, ahead],
      [ahead, NOW],
      [NOW, NOW - DAY_MS],
    ]) {
      const supplied = readAt(referenceTimes, weatherOf(NOW));
      assert.deepEqual(supplied, { value: 'weather', referenceTime: NOW });
    }
    const both = readAt([NOW + HOUR_MS, NOW], weatherOf(NOW));
    assert.equal(both.referenceTime, NOW + HOUR_MS);
  });

  it('fails as it does by the first clock if it is current for none', () => {
    const read = weatherOf(NOW);
    assert.throws(() => readAt([NOW + DAY_MS, NOW - DAY_MS], read), {
      message: 'x: the weather is old',
    });
    assert.throws(() => readAt([NOW - DAY_MS, NOW + DAY_MS], read), {
      message: 'x: the weather is of the future',
    });
  });

  it('fails at once for any other reason', () => {
    let reads = 0;
    const read = () => {
      reads += 1;
      throw new UpstreamError('x', 'bad_answer', 'a wrong type');
    };
    assert.throws(() => readAt([NOW, NOW + DAY_MS], read), { kind: 'bad_answer' });
    assert.equal(reads, 1);
  });
});
