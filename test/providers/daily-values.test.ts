import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toForecast, type RawDay } from '../../src/providers/daily-values.js';

const AUCKLAND = { latitude: -36.85, longitude: 174.76 };
/** In the afternoon of the 25th in Auckland. */
const NOW = Date.parse('2026-11-25T02:00Z');

const day = (date: string, more: Partial<RawDay> = {}): RawDay => ({
  ...{ date, min: 10, max: 20, condition: 'Fog', precipitationProbability: 30 },
  ...more,
});
const forecast = (days: RawDay[], now = NOW) =>
  toForecast('x', { point: AUCKLAND, timeZone: 'Pacific/Auckland', days }, now);
const datesOf = (...days: RawDay[]) => forecast(days).days.map(({ date }) => date.slice(5));

describe('the days of a forecast', () => {
  it('are those from the local date of today on, for about two weeks', () => {
    const dates = ['2026-11-24', '2026-11-25', '2026-12-11', '2026-12-12', '2027-11-25'];
    assert.deepEqual(datesOf(...dates.map((date) => day(date))), ['11-25', '12-11']);
  });

  it('are in the order of their dates, at most seven', () => {
    const dates = [3, 1, 9, 2, 8, 5, 4, 7, 6].map((n) => day(`2026-12-0${n}`));
    const first = [1, 2, 3, 4, 5, 6, 7].map((n) => `12-0${n}`);
    assert.deepEqual(datesOf(...dates), first);
  });

  it('have different dates: of several with one date, the first complete one remains', () => {
    const { days } = forecast([
      day('2026-11-26', { min: null }),
      day('2026-11-25'),
      day('2026-11-26', { max: 21 }),
      day('2026-11-26', { max: 22 }),
    ]);
    assert.deepEqual(
      days.map(({ date, temperature_max }) => [date, temperature_max]),
      [
        ['2026-11-25', 20],
        ['2026-11-26', 21],
      ],
    );
  });

  it('do not include one without a plausible minimum or maximum, a condition, or a date', () => {
    const missing = [null, undefined, -999, 81, NaN, Infinity];
    const wrong = [
      ...missing.flatMap((value) => [{ min: value }, { max: value }]),
      ...[{ condition: null }, { condition: undefined }],
    ];
    for (const more of wrong) {
      const days = [day('2026-11-25', more), day('2026-11-26'), day('2026-11-31')];
      assert.deepEqual(datesOf(...days), ['11-26'], JSON.stringify(more));
    }
  });

  it('keep all other values if the probability is missing or implausible', () => {
    for (const [input, output] of [
      [104.9, 100],
      [-1, 0],
      [106, null],
      [undefined, null],
      [Infinity, null],
    ] as const) {
      const { days } = forecast([day('2026-11-25', { precipitationProbability: input })]);
      assert.equal(days[0]?.precipitation_probability, output);
      assert.equal(days[0].temperature_max, 20);
    }
  });

  it('have the lower of two temperatures as the minimum: a night can be warmer than its day', () => {
    const { days } = forecast([day('2026-11-25', { min: 12.34, max: 11.06 }), day('2026-11-26')]);
    assert.deepEqual(
      days.map(({ temperature_min, temperature_max }) => [temperature_min, temperature_max]),
      [
        [11.1, 12.3],
        [10, 20],
      ],
    );
  });

  it('have sunrise and sunset by the time zone of the point', () => {
    const [first] = forecast([day('2026-11-25')]).days;
    assert.match(String(first?.sunrise), /^2026-11-25T05:5\d$/);
    assert.match(String(first?.sunset), /^2026-11-25T20:1\d$/);
  });

  it('are no forecast if none is left', () => {
    for (const days of [[], [day('2026-11-24')], [day('2026-11-25', { max: null })]]) {
      assert.throws(() => forecast(days), {
        kind: 'no_data',
        message: 'x: the forecast has no complete day from today on',
      });
    }
  });
});
