import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { daysOfSteps, type ForecastStep } from '../../src/providers/daily-steps.js';

const HOUR_MS = 3_600_000;

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
  daysOfSteps(steps, timeZone).map(({ date, min, max }) => [date, min, max]);

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
    const [day] = daysOfSteps(steps, 'Etc/GMT');
    assert.deepEqual([day?.condition, day?.precipitationProbability], ['Thunderstorm', 60]);

    const bare = steps.map((step) => ({ ...step, condition: undefined }));
    assert.equal(daysOfSteps(bare, 'Etc/GMT')[0]?.condition, undefined);
    const cold = steps.map((step) => ({ ...step, temperature: null }));
    const [without] = daysOfSteps(cold, 'Etc/GMT');
    assert.deepEqual(
      [without?.date, without?.min, without?.max],
      ['2026-11-24', undefined, undefined],
    );
  });

  it('ignore implausible values of a step', () => {
    const steps = hourly('2026-11-24T00:00Z', 24);
    steps[3] = { ...steps[3]!, temperature: -999, precipitationProbability: 106 };
    steps[4] = { ...steps[4]!, extremes: [Infinity, 99], precipitationProbability: 101 };
    const [day] = daysOfSteps(steps, 'Etc/GMT');
    assert.deepEqual([day?.min, day?.max, day?.precipitationProbability], [0, 23, 100]);
  });
});
