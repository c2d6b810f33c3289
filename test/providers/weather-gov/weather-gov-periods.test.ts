import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  daysOfPeriods,
  type PeriodsResponse,
} from '../../../src/providers/weather-gov/weather-gov-periods.js';

type Period = PeriodsResponse['properties']['periods'][number];

/** A period that starts at a local time, such as `24T18`. */
const period = (start: string, temperature: number | null, more: Partial<Period> = {}): Period => ({
  startTime: `2026-11-${start}:00:00-10:00`,
  isDaytime: /T(0[6-9]|1[0-7])/.test(start),
  temperature,
  temperatureUnit: 'F',
  probabilityOfPrecipitation: { value: null },
  icon: 'https://api.weather.gov/icons/land/day/few?size=medium',
  shortForecast: 'Sunny',
  ...more,
});

const daysOf = (...periods: Period[]) => daysOfPeriods({ properties: { periods } });

describe('the periods of api.weather.gov', () => {
  it('are a day each: a daytime and the night that follows', () => {
    const days = daysOf(
      period('24T14', 86),
      period('24T18', 68, { probabilityOfPrecipitation: { value: 30 } }),
      period('24T18', 68, { probabilityOfPrecipitation: { value: 900 } }),
      period('25T06', 29, { temperatureUnit: 'C' }),
      period('25T18', 20, { temperatureUnit: 'C' }),
    );
    assert.deepEqual(
      days.map(({ date, min, max, precipitationProbability: chance }) => [date, min, max, chance]),
      [
        ['2026-11-24', 20, 30, 30],
        ['2026-11-25', 20, 29, undefined],
      ],
    );
  });

  it('of a night that began before midnight belong to the date before, which has no maximum', () => {
    const days = daysOf(period('24T02', 68), period('24T06', 86), period('24T18', 70));
    assert.deepEqual(
      days.map(({ date, max }) => [date, max]),
      [
        ['2026-11-23', undefined],
        ['2026-11-24', 30],
      ],
    );
    const dates = ['24T05', '24T06'].map((start) => {
      const [day] = daysOf(period(start, 68, { isDaytime: false }));
      return day?.date;
    });
    assert.deepEqual(dates, ['2026-11-23', '2026-11-24']);
    const [unreal] = daysOf(period('99T02', 68));
    assert.equal(unreal?.date, '2026-11-99');
  });

  it('have the most severe of their conditions, of two icons too', () => {
    const icons = ['few', 'rain,40/tsra_sct,60', 'frogs'];
    const conditions = icons.map((icon) => {
      const [day] = daysOf(
        period('24T06', 86),
        period('24T18', 70, { icon: `https://api.weather.gov/icons/land/night/${icon}` }),
      );
      return day?.condition;
    });
    assert.deepEqual(conditions, ['Mainly clear', 'Thunderstorm', 'Mainly clear']);
    const [repeated] = daysOf(period('24T06', null), period('24T06', 86), period('24T06', 68));
    assert.equal(repeated?.max, 30);
    const [bare] = daysOf(period('24T06', 86, { icon: null }), period('24T18', null));
    assert.deepEqual([bare?.min, bare?.condition], [undefined, 'Mainly clear']);
  });
});
