import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cachedSince, referenceTimeOf, ttlWithin } from '../../src/weather/cache-entry.js';
import { manualClock } from '../support/manual-clock.js';

const TTL = { freshMs: 1000, staleMs: 5000 };

describe('the reference time for the value of an entry', () => {
  it('is the one of its fetch and the time since then, whatever the clock of this process', () => {
    const clock = manualClock(Date.parse('2026-12-02T12:00Z'));
    const referenceTime = Date.parse('2026-11-24T12:00Z');
    const fetched = { value: 7, provider: 'p', referenceTime };
    const entry = cachedSince(fetched, TTL, clock.monotonic(), 'f');
    clock.advance(90_000);
    assert.equal(referenceTimeOf(entry, clock), referenceTime + 90_000);
  });

  it('is the time of this process if the value is good at any time', () => {
    const clock = manualClock(1_000_000);
    const entry = cachedSince({ value: 7, provider: 'p' }, TTL, clock.monotonic(), 'f');
    clock.advance(90_000);
    assert.equal(referenceTimeOf(entry, clock), 1_090_000);
  });
});

describe('a TTL within a time', () => {
  it('ends with the time', () => {
    const rows: [wholeMs: number, freshMs: number, staleMs: number][] = [
      [Infinity, 1000, 5000],
      [6000, 1000, 5000],
      [5999, 1000, 4999],
      [1000, 1000, 0],
      [999, 999, 0],
      [0, 0, 0],
    ];
    for (const [wholeMs, freshMs, staleMs] of rows) {
      assert.deepEqual(ttlWithin(TTL, wholeMs), { freshMs, staleMs });
    }
  });
});
