import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { ServiceName } from '../../../src/config/providers.js';
import type { Point } from '../../../src/weather/types.js';
import { assertWithin } from '../../support/assert-within.js';
import { stepsIn } from '../../support/steps.js';
import { without } from '../../support/without.js';
import {
  dateAt,
  isNordic,
  PATHS,
  stubForecast,
  stubWeather,
  type Damage,
} from '../../support/stub-provider.js';
import {
  HERE,
  IMPLAUSIBLE,
  NO_OPTIONAL,
  POINTS,
  sentFor,
  testAbility,
  WRONG_TYPE,
  WRONG_TYPES,
  type Optional,
  type Path,
} from '../ability.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A point for which MET Norway has every value. */
const OSLO = { latitude: 59.9127, longitude: 10.7461 };
const OSLO_KEY = sentFor(OSLO).join();

interface DailyUnderTest {
  /** The path of the stub provider that it calls. */
  path: string;
  /** How many days after today there are at least. */
  minDays: number;
  /** Whether it has the extremes of all hours of today. */
  hasWholeToday: boolean;
  /** The paths of numbers of a day in its response. */
  values: Path[];
  /** The members that it does not have at a point on a date. */
  lacks: (point: Point, date: string) => string[];
  /** The paths of numbers without which the member of one day is null. */
  optional: Optional[];
}

/** A step of six hours in the series of MET Norway. */
const LATER = ['properties', 'timeseries', 70, 'data'];

/** Outside of the Nordic area, MET Norway has no gusts and no probabilities. */
const lacksOfMet = (point: Point, ...members: string[]) => (isNordic(point) ? [] : members);

/** Whether the series of MET Norway has all hours of a date: its 60th step is the first one of six hours. */
const isHourly = ({ latitude, longitude }: Point, date: string) => {
  const firstCoarse = (Math.floor(Date.now() / HOUR_MS) + 59) * HOUR_MS;
  return dateAt(stubWeather(latitude, longitude).timeZone, firstCoarse) > date;
};

const CASES: Partial<Record<ServiceName, DailyUnderTest>> = {
  'open-meteo': {
    path: PATHS.openMeteo,
    minDays: 15,
    hasWholeToday: true,
    values: [
      ['daily', 'temperature_2m_min', 2],
      ['daily', 'temperature_2m_max', 2],
      ['daily', 'weather_code', 2],
      ['daily', 'precipitation_probability_max', 2],
    ],
    lacks: () => [],
    optional: [
      ['precipitation_probability', ['daily', 'precipitation_probability_max', 2]],
      ['precipitation', ['daily', 'precipitation_sum', 2]],
      ['wind_speed_max', ['daily', 'wind_speed_10m_max', 2]],
      ['wind_gusts_max', ['daily', 'wind_gusts_10m_max', 2]],
      ['uv_index_max', ['daily', 'uv_index_max', 2]],
      ['snowfall', ['daily', 'snowfall_sum', 2]],
    ],
  },
  openweathermap: {
    path: PATHS.openWeatherMapForecast,
    minDays: 4,
    hasWholeToday: false,
    values: [
      ['list', 12, 'main', 'temp'],
      ['list', 12, 'weather', 0, 'id'],
      ['list', 12, 'pop'],
    ],
    lacks: () => ['uv_index_max', 'snowfall'],
    optional: [
      ['wind_speed_max', ['list', 12, 'wind', 'speed']],
      ['wind_gusts_max', ['list', 12, 'wind', 'gust']],
    ],
  },
  'met-norway': {
    path: PATHS.metNorway,
    minDays: 6,
    hasWholeToday: false,
    values: [
      [...LATER, 'instant', 'details', 'air_temperature'],
      [...LATER, 'next_6_hours', 'details', 'air_temperature_min'],
      [...LATER, 'next_6_hours', 'details', 'air_temperature_max'],
    ],
    lacks: (point, date) => [
      ...['uv_index_max', 'snowfall'],
      ...(isNordic(point) && isHourly(point, date) ? [] : ['wind_gusts_max']),
      ...lacksOfMet(point, 'precipitation_probability'),
    ],
    optional: [
      ['precipitation', [...LATER, 'next_6_hours', 'details', 'precipitation_amount']],
      ['wind_speed_max', [...LATER, 'instant', 'details', 'wind_speed']],
    ],
  },
  'weather-gov': {
    path: PATHS.weatherGovForecast,
    minDays: 5,
    hasWholeToday: false,
    values: [
      ['properties', 'periods', 4, 'temperature'],
      ['properties', 'periods', 4, 'probabilityOfPrecipitation', 'value'],
    ],
    lacks: () => ['precipitation', 'wind_gusts_max', 'uv_index_max', 'snowfall'],
    optional: [],
  },
};

/** What can be wrong with a day. It is left out. */
const BAD_DAYS: [what: string, day: Omit<NonNullable<Damage['day']>, 'daysAhead'>][] = [
  ['no temperatures', { min: null, max: null }],
  ['temperatures below -200 °C', { min: -999, max: -998 }],
  ['temperatures above 80 °C', { min: 98, max: 99 }],
  ['no condition', { sky: null }],
];

/** The date at the point in some days. */
const dateAhead = (days: number) =>
  stubForecast(OSLO.latitude, OSLO.longitude, days + 1).days[days]!.date;

/** What the service computes for every provider. */
const COMPUTED = ['sunrise', 'sunset', 'day_length', 'moon_phase', 'moonrise', 'moonset'];

testAbility('daily', CASES, (fixture, daily) => {
  const ask = (point: Point = HERE) => fixture.provider.daily!(point, new AbortController().signal);
  const daysAt = async (point: Point = HERE) => stepsIn((await ask(point)).value);

  it('supplies the days of each point in the units of the contract', async () => {
    for (const point of POINTS) {
      const expected = stubForecast(...sentFor(point), 16);
      const { value } = await ask(point);
      const days = stepsIn(value);
      assert.equal(value.timezone, expected.timezone);
      assert.ok(days.length <= 15);
      const start = daily.hasWholeToday ? 0 : 1;
      const compared = days.filter(({ date }) => date >= expected.days[start]!.date);
      assert.ok(compared.length >= daily.minDays, `${compared.length} days`);
      assert.deepEqual(
        compared.map((day) => without({ ...day }, ...COMPUTED)),
        expected.days.slice(start, start + compared.length).map((day) => ({
          ...day,
          condition: fixture.conditionOf(day.condition),
          ...Object.fromEntries(daily.lacks(point, day.date).map((member) => [member, null])),
        })),
      );
    }
  });

  for (const value of daily.values) {
    it(`fails if ${value.join('.')} has another type, and supplies other days without it`, async () => {
      const body = await fixture.regular(ask);
      const respond = (text: string | undefined) => {
        fixture.respondWith(daily.path, body, value, text);
      };
      for (const text of WRONG_TYPES) {
        respond(text);
        await fixture.fails(ask, 'bad_answer', text);
      }
      for (const text of IMPLAUSIBLE) {
        respond(text);
        const days = await daysAt();
        assert.ok(days.length >= daily.minDays - 1, `${days.length} days with ${text}`);
      }
    });
  }

  for (const [member, value] of daily.optional) {
    it(`has a day with null for ${member} without ${value.join('.')}`, async () => {
      const body = await fixture.regular(ask);
      const nulls = async () => {
        const days = await daysAt();
        return days.filter((day) => day[member as keyof typeof day] === null).length;
      };
      const count = await nulls();
      fixture.respondWith(daily.path, body, value, WRONG_TYPE);
      await fixture.fails(ask, 'bad_answer');
      for (const text of NO_OPTIONAL) {
        fixture.respondWith(daily.path, body, value, text);
        assert.equal(await nulls(), count + 1, text);
      }
    });
  }

  const dates = async () => (await daysAt(OSLO)).map(({ date }) => date);
  const dayAhead = async (daysAhead: number) =>
    (await daysAt(OSLO)).find(({ date }) => date === dateAhead(daysAhead));

  for (const [what, day] of BAD_DAYS) {
    it(`has all days but the one with ${what}`, async () => {
      const all = await dates();
      fixture.stub.damage(OSLO_KEY, { day: { daysAhead: 2, ...day } });
      const left = all.filter((date) => date !== dateAhead(2));
      assert.equal(left.length, all.length - 1);
      assert.deepEqual((await dates()).slice(0, left.length), left);
    });
  }

  it('has a day with an implausible probability, which is null', async () => {
    fixture.stub.damage(OSLO_KEY, { day: { daysAhead: 2, probability: 900 } });
    assert.equal((await dayAhead(2))?.precipitation_probability, null);
    fixture.stub.damage(OSLO_KEY, { day: { daysAhead: 2, probability: 103 } });
    assert.equal((await dayAhead(2))?.precipitation_probability, 100);
  });

  it('has the night as the maximum of a day if it is warmer', async () => {
    fixture.stub.damage(OSLO_KEY, { day: { daysAhead: 2, min: 20, max: 10 } });
    const day = await dayAhead(2);
    assert.deepEqual([day?.temperature_min, day?.temperature_max], [10, 20]);
  });

  it('has each date once if the service repeats a day', async () => {
    const all = await dates();
    fixture.stub.damage(OSLO_KEY, { repeatedDay: 2 });
    assert.deepEqual(await dates(), all);
  });

  it('is no forecast if all days are over', async () => {
    fixture.stub.damage(OSLO_KEY, { ageMs: 20 * DAY_MS });
    await fixture.fails(() => ask(OSLO), 'no_data');
  });

  it('names the present that it is for', async () => {
    const before = Date.now();
    const { presentAt = 0 } = await ask();
    // The header Date has whole seconds.
    assertWithin(presentAt, before - 1000, Date.now());
  });
});
