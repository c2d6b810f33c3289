import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { UpstreamError } from '../../src/weather/errors.js';
import { readCurrent } from '../../src/providers/kind-values.js';
import { CURRENT_WEATHER } from '../../src/weather/kinds/current-weather.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW = Date.parse('2026-11-24T12:00Z');

const VALUES = { temperature: 4, humidity: 87, wind_speed: 11, weather_code: 3 };

/** Reads weather for the instant `at` from a response. */
const readAt = (referenceTimes: number[], at: number) =>
  readCurrent('x', CURRENT_WEATHER, { body: at, referenceTimes }, (time) => ({ time, ...VALUES }));

describe('the time of current weather', () => {
  it('is at most three hours in the past and one hour in the future', () => {
    for (const offset of [-3 * HOUR_MS, 0, HOUR_MS]) {
      assert.equal(readAt([NOW], NOW + offset).value.time, NOW + offset);
    }
    const wrong: [at: number, message: string][] = [
      [NOW - 3 * HOUR_MS - 1, 'x: the weather is old'],
      [NOW - 4 * DAY_MS, 'x: the weather is old'],
      [NOW + HOUR_MS + 1, 'x: the weather is in the future'],
      [Infinity, 'x: the weather is in the future'],
      [NaN, 'x: the weather has no time'],
    ];
    for (const [at, message] of wrong) {
      assert.throws(() => readAt([NOW], at), { kind: 'no_data', message });
    }
  });
});

describe('data that is read at its reference time', () => {
  it('is read by the first clock for which it is current, and keeps the time of that clock', () => {
    const ahead = NOW + 8 * DAY_MS;
    for (const referenceTimes of [
      [NOW, ahead],
      [ahead, NOW],
      [NOW, NOW - DAY_MS],
    ]) {
      const { value, referenceTime } = readAt(referenceTimes, NOW);
      assert.deepEqual([value.time, referenceTime], [NOW, NOW]);
    }
    assert.equal(readAt([NOW + HOUR_MS, NOW], NOW).referenceTime, NOW + HOUR_MS);
  });

  it('fails as it does by the first clock if it is current for none', () => {
    assert.throws(() => readAt([NOW + DAY_MS, NOW - DAY_MS], NOW), {
      message: 'x: the weather is old',
    });
    assert.throws(() => readAt([NOW - DAY_MS, NOW + DAY_MS], NOW), {
      message: 'x: the weather is in the future',
    });
  });

  it('fails at once for any other reason', () => {
    let reads = 0;
    const read = () => {
      reads += 1;
      throw new UpstreamError('x', 'bad_answer', 'a wrong type');
    };
    const response = { body: undefined, referenceTimes: [NOW, NOW + DAY_MS] };
    assert.throws(() => readCurrent('x', CURRENT_WEATHER, response, read), { kind: 'bad_answer' });
    assert.equal(reads, 1);
  });
});
