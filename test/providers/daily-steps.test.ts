import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { daysOfSteps, type ForecastStep } from '../../src/providers/daily-steps.js';

const HOUR_MS = 3_600_000;

/** Hourly steps. Their temperature is their number: a date's extremes are its first and last. */
function hourly(from: string, count: number): ForecastStep[] {
  return Array.from({ length: count }, (_, index) => ({
    time: Date.parse(from) + index * HOUR_MS,
    from: Date.parse(from) + index * HOUR_MS,
    to: Date.parse(from) + (index + 1) * HOUR_MS,
    temperature: index,
    weather_code: 3,
  }));
}

const extremes = (steps: ForecastStep[], timeZone: string) =>
  daysOfSteps(steps, timeZone).map((day) => [day.date, day.temperature_min, day.temperature_max]);

describe('the days of steps', () => {
  it('leave out a last date that the steps do not cover', () => {
    const dates = extremes(hourly('2026-11-24T20:00Z', 27), 'Etc/GMT').map(([date]) => date);
    assert.deepEqual(dates, ['2026-11-24']);
    const [step] = hourly('2026-11-24T00:00Z', 1);
    assert.equal(extremes([{ ...step!, to: step!.from + 24 * HOUR_MS }], 'Etc/GMT').length, 1);
    assert.deepEqual(extremes([], 'Etc/GMT'), []);
    // A step without a period counts for its own date.
    assert.deepEqual(extremes([{ ...step!, to: step!.from }], 'Etc/GMT'), []);
  });

  it('have the most severe condition, the highest probability, and no value that no step has', () => {
    const [first, ...others] = hourly('2026-11-24T00:00Z', 24);
    const steps: ForecastStep[] = [
      { ...first!, weather_code: 61, precipitation_probability: 20 },
      ...others.map((step) => ({ ...step, weather_code: undefined })),
    ];
    steps[3] = { ...steps[3]!, weather_code: -1, precipitation_probability: 60 };
    steps[4] = { ...steps[4]!, weather_code: 95 };
    const [day] = daysOfSteps(steps, 'Etc/GMT');
    assert.deepEqual([day?.weather_code, day?.precipitation_probability], [95, 60]);

    const bare = steps.map((step) => ({ ...step, weather_code: undefined }));
    assert.equal(daysOfSteps(bare, 'Etc/GMT')[0]?.weather_code, undefined);
    const cold = steps.map((step) => ({ ...step, temperature: null }));
    const [without] = daysOfSteps(cold, 'Etc/GMT');
    assert.deepEqual(
      [without?.date, without?.temperature_min, without?.temperature_max],
      ['2026-11-24', undefined, undefined],
    );
  });

  it('ignore implausible values of a step', () => {
    const steps = hourly('2026-11-24T00:00Z', 24);
    steps[3] = { ...steps[3]!, temperature: -999, precipitation_probability: 106 };
    steps[4] = { ...steps[4]!, extremes: [Infinity, 99], precipitation_probability: 101 };
    const [day] = daysOfSteps(steps, 'Etc/GMT');
    assert.deepEqual(
      [day?.temperature_min, day?.temperature_max, day?.precipitation_probability],
      [0, 23, 100],
    );
  });
});

describe('the sums and maxima of steps', () => {
  const WHOLE_DAY: ForecastStep[] = hourly('2026-11-24T00:00Z', 24).map((step, index) => ({
    ...step,
    precipitation: index === 14 ? 1.5 : 0.25,
    wind_speed: index,
    wind_gusts: 2 * index,
  }));
  const summaryOf = (steps: ForecastStep[]) => {
    const [day] = daysOfSteps(steps, 'Etc/GMT');
    return [day?.precipitation, day?.wind_speed_max, day?.wind_gusts_max];
  };
  const changed = (index: number, change: Partial<ForecastStep>) =>
    WHOLE_DAY.map((step, each) => (each === index ? { ...step, ...change } : step));

  it('are those of all steps of a date', () => {
    assert.deepEqual(summaryOf(WHOLE_DAY), [7.25, 23, 46]);
    assert.deepEqual(summaryOf(WHOLE_DAY.slice(20)), [1, 23, 46]);
  });

  it('are missing if one step has no plausible value', () => {
    for (const missing of [null, undefined, -999, 1e300]) {
      assert.deepEqual(summaryOf(changed(5, { precipitation: missing })), [undefined, 23, 46]);
      assert.deepEqual(summaryOf(changed(5, { wind_speed: missing })), [7.25, undefined, 46]);
      assert.deepEqual(summaryOf(changed(5, { wind_gusts: missing })), [7.25, 23, undefined]);
    }
  });

  it('have no precipitation if no step has a part of the date, or a period begins within another', () => {
    const gap = WHOLE_DAY.filter((_, index) => index !== 5);
    assert.deepEqual(summaryOf(gap), [undefined, 23, 46]);
    const twoDays = hourly('2026-11-24T00:00Z', 48).map((step) => ({ ...step, precipitation: 1 }));
    const withoutMidnight = twoDays.filter((_, hour) => hour < 22 || hour > 25);
    const amounts = daysOfSteps(withoutMidnight, 'Etc/GMT').map((day) => day.precipitation);
    assert.deepEqual(amounts, [undefined, undefined]);
    const untilMidnight = twoDays.filter((_, hour) => hour !== 22 && hour !== 23);
    assert.equal(daysOfSteps(untilMidnight, 'Etc/GMT')[1]?.precipitation, 24);
    const six = (step: ForecastStep) => ({
      ...{ ...step, to: step.from + 6 * HOUR_MS },
      precipitation: 3,
    });
    const overlapping = WHOLE_DAY.with(21, six(WHOLE_DAY[21]!));
    assert.equal(summaryOf(overlapping)[0], 20 * 0.25 + 1.5 + 3);
    const [first, second] = [six(WHOLE_DAY[10]!), six(WHOLE_DAY[14]!)];
    const coarse = [...WHOLE_DAY.slice(0, 10), first, second, ...WHOLE_DAY.slice(20)];
    assert.equal(summaryOf(coarse)[0], undefined);
  });

  it('count no hour twice if the steps become coarser', () => {
    const six = (step: ForecastStep) => ({
      ...{ ...step, to: step.from + 6 * HOUR_MS },
      precipitation: 2,
    });
    const coarse = [0, 6, 12, 18].map((hour) => six(WHOLE_DAY[hour]!));
    const both = [...WHOLE_DAY.slice(0, 12), ...coarse.slice(2)];
    assert.equal(summaryOf(both)[0], 12 * 0.25 + 4);
    // The last step of an hour has a period of six hours, and so has the next one.
    const last = six(WHOLE_DAY[12]!);
    const within = { ...WHOLE_DAY[13]!, precipitation: 100 };
    const mixed = [...WHOLE_DAY.slice(0, 12), last, within, coarse[3]!];
    assert.equal(summaryOf(mixed)[0], 12 * 0.25 + 4);
  });
});
