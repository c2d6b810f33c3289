import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { daysOfSteps, type ForecastStep } from '../../src/providers/daily-steps.js';

const HOUR_MS = 3_600_000;
const POINT = { latitude: 40.7, longitude: -74 };

/** Hourly steps whose temperature is their number: the extremes of a date show its first and its last step. */
function hourly(from: string, count: number): ForecastStep[] {
  return Array.from({ length: count }, (_, index) => ({
    at: Date.parse(from) + index * HOUR_MS,
    lengthMs: HOUR_MS,
    temperature: index,
    condition: 'Overcast',
  }));
}

const extremes = (steps: ForecastStep[], timeZone: string) =>
  daysOfSteps(steps, POINT, timeZone).map(({ date, min, max }) => [date, min, max]);

describe('the days of steps', () => {
  it('leave out a last date that the steps do not cover', () => {
    const dates = extremes(hourly('2026-11-24T20:00Z', 27), 'Etc/GMT').map(([date]) => date);
    assert.deepEqual(dates, ['2026-11-24']);
    const [step] = hourly('2026-11-24T00:00Z', 1);
    assert.equal(extremes([{ ...step!, lengthMs: 24 * HOUR_MS }], 'Etc/GMT').length, 1);
    assert.deepEqual(extremes([], 'Etc/GMT'), []);
    // A step without a period counts for its own date.
    assert.deepEqual(extremes([{ ...step!, lengthMs: 0 }], 'Etc/GMT'), []);
  });

  it('have the most severe condition, the highest probability, and no value that no step has', () => {
    const [first, ...others] = hourly('2026-11-24T00:00Z', 24);
    const steps: ForecastStep[] = [
      { ...first!, condition: 'Slight rain', precipitationProbability: 20 },
      ...others.map((step) => ({ ...step, condition: undefined })),
    ];
    steps[3] = { ...steps[3]!, condition: 'Unknown', precipitationProbability: 60 };
    steps[4] = { ...steps[4]!, condition: 'Thunderstorm' };
    const [day] = daysOfSteps(steps, POINT, 'Etc/GMT');
    assert.deepEqual([day?.condition, day?.precipitationProbability], ['Thunderstorm', 60]);

    const nothing = { temperature: undefined, condition: undefined };
    const empty = steps.map(({ at, lengthMs }) => ({ at, lengthMs, ...nothing }));
    const [bare] = daysOfSteps(empty, POINT, 'Etc/GMT');
    const values = [bare?.min, bare?.max, bare?.condition, bare?.precipitationProbability];
    assert.deepEqual(values, [undefined, undefined, undefined, undefined]);
  });
});
