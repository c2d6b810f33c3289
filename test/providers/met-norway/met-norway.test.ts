import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { codeOfSymbol } from '../../../src/providers/met-norway/met-norway-series.js';
import { conditionOf } from '../../../src/weather/conditions/conditions.js';
import { feelsLike } from '../../../src/weather/feels-like.js';
import { roundedPlausibleValue } from '../../../src/weather/kinds/quantities.js';
import type { Point } from '../../../src/weather/types.js';
import type { WeatherProvider } from '../../../src/upstream/weather-provider.js';
import { testAbilities } from '../../contracts/abilities.js';
import { manualClock, type ManualClock } from '../../support/manual-clock.js';
import { providerAt } from '../../support/providers.js';
import { stepsIn } from '../../support/steps.js';
import {
  dateAt,
  isNordic,
  PATHS,
  stubWeather,
  type StubProvider,
} from '../../support/stub-provider.js';
import { TEST_TIME } from '../../support/test-time.js';
import { useStubProvider } from '../../support/use-stub-provider.js';
import { zoned } from '../../support/zoned.js';

const HOUR = 3_600_000;
const START = Date.parse('2026-11-21T10:20:00Z');

/** The series of the stub provider begins an hour ago: the second step is the one for now. */
const NOW = ['properties', 'timeseries', 1, 'data'];
const IN_THREE_HOURS = ['properties', 'timeseries', 4, 'data'];
/** A step of six hours. */
const LATER = ['properties', 'timeseries', 70, 'data'];
const DETAILS = ['instant', 'details'];

/** Whether the series has all hours of a date: its 60th step is the first one of six hours. */
const isHourly = ({ latitude, longitude }: Point, date: string) => {
  const firstCoarse = (Math.floor(TEST_TIME / HOUR) + 59) * HOUR;
  return dateAt(stubWeather(latitude, longitude).timeZone, firstCoarse) > date;
};

testAbilities('met-norway', {
  current: {
    path: PATHS.metNorway,
    agesMs: [20 * 24 * HOUR, -4 * HOUR],
    values: [
      [...NOW, ...DETAILS, 'air_temperature'],
      [...NOW, ...DETAILS, 'relative_humidity'],
      [...NOW, ...DETAILS, 'wind_speed'],
    ],
    derived: ['feels_like'],
    optional: [
      ['dew_point', [...NOW, ...DETAILS, 'dew_point_temperature']],
      ['pressure', [...NOW, ...DETAILS, 'air_pressure_at_sea_level']],
      ['cloud_cover', [...NOW, ...DETAILS, 'cloud_area_fraction']],
      ['precipitation', [...NOW, 'next_1_hours', 'details', 'precipitation_amount']],
      ['wind_direction', [...NOW, ...DETAILS, 'wind_from_direction']],
    ],
    conditions: (weather) => ({
      feels_like: roundedPlausibleValue(
        'feels_like',
        feelsLike(weather.temperature, weather.humidity + 0.3, weather.windMs * 3.6),
      ),
      ...(isNordic(weather) ? {} : { wind_gusts: null }),
    }),
  },
  daily: {
    path: PATHS.metNorway,
    minDays: 6,
    hasWholeToday: false,
    values: [],
    spare: [
      [...LATER, ...DETAILS, 'air_temperature'],
      [...LATER, 'next_6_hours', 'details', 'air_temperature_min'],
      [...LATER, 'next_6_hours', 'details', 'air_temperature_max'],
    ],
    lacks: (point, date) => [
      ...(['uv_index_max', 'snowfall'] as const),
      ...(isNordic(point) && isHourly(point, date) ? [] : (['wind_gusts_max'] as const)),
      ...(isNordic(point) ? [] : (['precipitation_probability'] as const)),
    ],
    derived: ['temperature_min'],
    optional: [
      ['precipitation', [...LATER, 'next_6_hours', 'details', 'precipitation_amount']],
      ['wind_speed_max', [...LATER, ...DETAILS, 'wind_speed']],
    ],
  },
  hourly: {
    path: PATHS.metNorway,
    minHours: 57,
    lacks: (point) => (isNordic(point) ? [] : ['precipitation_probability', 'wind_gusts']),
    computesFeelsLike: true,
    values: [[...IN_THREE_HOURS, ...DETAILS, 'air_temperature']],
    derived: ['feels_like'],
    optional: [
      ['humidity', [...IN_THREE_HOURS, ...DETAILS, 'relative_humidity']],
      ['cloud_cover', [...IN_THREE_HOURS, ...DETAILS, 'cloud_area_fraction']],
      ['precipitation', [...IN_THREE_HOURS, 'next_1_hours', 'details', 'precipitation_amount']],
      ['wind_speed', [...IN_THREE_HOURS, ...DETAILS, 'wind_speed']],
      ['wind_direction', [...IN_THREE_HOURS, ...DETAILS, 'wind_from_direction']],
    ],
  },
});

describe('MET Norway', () => {
  const fixture = useStubProvider();
  let stub: StubProvider;
  /** The clock of MET Norway. */
  let clock: ManualClock;
  let provider: WeatherProvider;
  beforeEach(() => {
    ({ stub } = fixture);
    clock = manualClock(START);
    provider = providerAt('met-norway', fixture);
  });

  interface Step {
    hour: number;
    temperature?: number | null;
    symbols?: (string | null | undefined)[];
  }

  /** Responds with these steps. */
  const answer = (steps: Step[], headers: Record<string, string> = {}) => {
    const timeseries = steps.map(({ hour, temperature = hour, symbols = ['cloudy'] }) => ({
      time: `2026-11-21T${String(hour).padStart(2, '0')}:00:00Z`,
      data: {
        instant: {
          details: { air_temperature: temperature, relative_humidity: 96.4, wind_speed: 9.6 },
        },
        ...Object.fromEntries(
          symbols.map((symbol, index) => [
            `next_${[1, 6, 12][index]!}_hours`,
            symbol === undefined
              ? {}
              : { summary: { symbol_code: symbol }, details: { precipitation_amount: 1 } },
          ]),
        ),
      },
    }));
    stub.respond(PATHS.metNorway, { properties: { timeseries } }, { at: clock.now(), headers });
  };
  const hours = (first: number, last: number): Step[] =>
    Array.from({ length: last - first + 1 }, (_, index) => ({ hour: first + index }));
  const call = () =>
    provider.current!(zoned({ latitude: 59.93, longitude: 10.72 }), new AbortController().signal);
  const ask = async () => (await call()).value;

  it('reads the last step that has begun or the first one, and has no data if none is near', async () => {
    for (const [minutes, steps, temperature] of [
      [0, hours(8, 20), 10],
      [0, hours(8, 20).reverse(), 10],
      [0, [...hours(10, 11), { hour: 10, temperature: 30 }], 10],
      [0, hours(11, 20), 11],
      [-20, hours(11, 20), 11],
      [-20, hours(0, 7), 7],
    ] as const) {
      clock = manualClock(START + minutes * 60_000);
      answer([...steps]);
      assert.equal((await ask()).temperature, temperature);
    }
    for (const [minutes, steps] of [
      [-21, hours(11, 20)],
      [-19, hours(0, 7)],
      [0, []],
    ] as const) {
      clock = manualClock(START + minutes * 60_000);
      answer([...steps]);
      await assert.rejects(ask(), { kind: 'no_data', message: /no forecast for this hour/ });
    }
  });

  it('reads the symbol of the shortest period that has one, and has no data if none has one', async () => {
    answer([{ hour: 10, symbols: [undefined, 'fog', 'rain'] }]);
    const { weather_code: code, precipitation } = await ask();
    // The amount of a longer period is not that of an hour.
    assert.deepEqual([conditionOf(code), precipitation], ['Fog', null]);
    for (const symbols of [[], [null]]) {
      answer([{ hour: 9 }, { hour: 10, symbols }, { hour: 11 }]);
      await assert.rejects(ask(), { kind: 'no_data', message: /no plausible condition/ });
    }
  });

  it('validates only the steps that it uses, and the times of all', async () => {
    const respond = (...timeseries: unknown[]) => {
      stub.respond(PATHS.metNorway, { properties: { timeseries } }, { at: START });
    };
    const details = { air_temperature: 1, relative_humidity: 2, wind_speed: 3 };
    const data = { instant: { details }, next_1_hours: { summary: { symbol_code: 'fog' } } };
    const step = { time: '2026-11-21T10:00:00Z', data };
    respond(step, { time: '2026-11-21T01:00:00Z', data: 'unused' });
    assert.equal((await ask()).temperature, 1);
    for (const other of [7, null, {}, { time: 7 }, { time: '2026-11-21T09:00' }, { time: 'now' }]) {
      respond(step, other);
      await assert.rejects(ask(), { kind: 'bad_answer', message: /a step has no time/ });
    }
  });

  it('is fresh until its response expires, for at most six hours', async () => {
    const inMinutes = (minutes: number) => new Date(START + minutes * 60_000).toUTCString();
    for (const [expires, freshForMs] of [
      [inMinutes(90), 90 * 60_000],
      [inMinutes(-1), 0],
      ['soon', 0],
      ['Fri, 31 Dec 9999 23:59:59 GMT', 6 * HOUR],
    ] as const) {
      answer(hours(10, 20), { expires });
      assert.equal((await call()).freshForMs, freshForMs, expires);
    }
  });

  it('compares Expires with the clock of MET Norway, and subtracts the age of the response', async () => {
    const now = clock.now() + 6 * HOUR;
    const headers = {
      date: new Date(now).toUTCString(),
      expires: new Date(now + 600_000).toUTCString(),
      age: '300',
    };
    answer(hours(10, 20), headers);
    assert.equal((await call()).freshForMs, 300_000);
  });
});

describe('the daily forecast of MET Norway', () => {
  const fixture = useStubProvider();
  const OSLO = zoned({ latitude: 59.9127, longitude: 10.7461 });
  const HOURLY = 'next_1_hours';
  const SIX_HOURLY = 'next_6_hours';

  /** A time, the temperature then, and the values of the period after it. */
  type Step = [time: string, temperature: number, period: string, details?: object];

  /** Responds with the steps, and reads the days at an instant. */
  async function daysAt(now: string, steps: Step[]) {
    const timeseries = steps.map(([time, temperature, period, details]) => ({
      time,
      data: {
        instant: { details: { air_temperature: temperature } },
        [period]: { summary: { symbol_code: 'fair_night' }, details },
      },
    }));
    fixture.stub.respond(PATHS.metNorway, { properties: { timeseries } }, { at: Date.parse(now) });
    const { value } = await providerAt('met-norway', fixture).daily!(
      OSLO,
      new AbortController().signal,
    );
    assert.equal(value.timezone, 'Europe/Oslo');
    return stepsIn(value).map((day) => {
      const { date, temperature_min, temperature_max, precipitation_probability } = day;
      return [date, temperature_min, temperature_max, precipitation_probability];
    });
  }

  it('has the local dates that its steps cover, without the steps that are over', async () => {
    const days = await daysAt('2026-11-23T23:10:00Z', [
      ['2026-11-23T22:00:00Z', -9, HOURLY],
      ['2026-11-23T23:00:00Z', 1, HOURLY],
      ['2026-11-24T05:00:00Z', 2, SIX_HOURLY],
      ['2026-11-24T11:00:00Z', 5, SIX_HOURLY],
      ['2026-11-24T17:00:00Z', 3, SIX_HOURLY],
      ['2026-11-24T23:00:00Z', 0, SIX_HOURLY],
      ['2026-11-25T05:00:00Z', 4, SIX_HOURLY],
    ]);
    assert.deepEqual(days, [['2026-11-24', 1, 5, null]]);
    const morning = await daysAt('2026-11-24T05:10:00Z', [
      ['2026-11-23T23:00:00Z', -9, SIX_HOURLY],
      ['2026-11-24T04:00:00Z', 30, HOURLY],
      ['2026-11-24T05:00:00Z', 2, SIX_HOURLY],
      ['2026-11-24T11:00:00Z', 5, 'next_12_hours'],
    ]);
    assert.deepEqual(morning, [['2026-11-24', 2, 5, null]]);
  });

  const extremes = (min: number, max: number, probability: number) => ({
    air_temperature_min: min,
    air_temperature_max: max,
    probability_of_precipitation: probability,
  });

  it('counts a period for the date on which most of it lies, and a temperature for its own', async () => {
    // Local midnight is at 23:00 UTC.
    const days = await daysAt('2026-11-23T23:00:00Z', [
      ['2026-11-23T23:00:00Z', 1, HOURLY, { probability_of_precipitation: 0 }],
      // Half of the periods of 20:00 and 17:00 lies on the next date.
      ['2026-11-24T20:00:00Z', 0, SIX_HOURLY, extremes(-2, 9, 40)],
      ['2026-11-24T21:30:00Z', 0, SIX_HOURLY, extremes(-8, 12, 90)],
      ['2026-11-25T17:00:00Z', 2, 'next_12_hours', extremes(-9, 3, 30)],
    ]);
    assert.deepEqual(days, [
      ['2026-11-24', -2, 9, 40],
      ['2026-11-25', -9, 12, 90],
    ]);
  });
});

describe('the hourly forecast of MET Norway', () => {
  const fixture = useStubProvider();
  const NOW = '2026-11-23T22:40:00Z';

  /** Responds with the periods of each hour from 22:00 UTC on, and reads the hours. */
  async function hoursOf(periods: object[]) {
    const timeseries = periods.map((period, index) => ({
      time: new Date(Date.parse('2026-11-23T22:00:00Z') + index * HOUR).toISOString(),
      data: { instant: { details: { air_temperature: index } }, ...period },
    }));
    fixture.stub.respond(PATHS.metNorway, { properties: { timeseries } }, { at: Date.parse(NOW) });
    const point = zoned({ latitude: 59.9127, longitude: 10.7461 });
    const { value } = await providerAt('met-norway', fixture).hourly!(
      point,
      new AbortController().signal,
    );
    assert.equal(value.timezone, 'Europe/Oslo');
    return stepsIn(value);
  }
  const period = (symbol_code: string, precipitation_amount: number) => ({
    summary: { symbol_code },
    details: { precipitation_amount },
  });

  it('has only the steps with values for one hour', async () => {
    const hours = await hoursOf([
      { next_1_hours: period('rain', 0.4), next_6_hours: period('fog', 9) },
      { next_6_hours: period('fog', 9), next_12_hours: period('fog', 9) },
      {},
      { next_1_hours: period('cloudy', 0) },
    ]);
    assert.deepEqual(
      hours.map(({ time, condition, precipitation, precipitation_probability, wind_gusts }) => [
        ...[new Date(time).getUTCHours(), condition, precipitation],
        ...[precipitation_probability, wind_gusts],
      ]),
      [
        [22, 'Moderate rain', 0.4, null, null],
        [1, 'Overcast', 0, null, null],
      ],
    );
    await assert.rejects(hoursOf([{ next_6_hours: period('fog', 9) }]), { kind: 'no_data' });
  });
});

describe('the symbols of MET Norway', () => {
  /** The symbols without thunder. */
  const SYMBOLS: [text: string, bases: string][] = [
    ['Clear sky', 'clearsky'],
    ['Mainly clear', 'fair'],
    ['Partly cloudy', 'partlycloudy'],
    ['Overcast', 'cloudy'],
    ['Fog', 'fog'],
    ['Slight rain', 'lightrain'],
    ['Moderate rain', 'rain'],
    ['Heavy rain', 'heavyrain'],
    ['Slight rain showers', 'lightrainshowers'],
    ['Moderate rain showers', 'rainshowers'],
    ['Violent rain showers', 'heavyrainshowers'],
    ['Slight snow fall', 'lightsleet lightsnow'],
    ['Moderate snow fall', 'sleet snow'],
    ['Heavy snow fall', 'heavysleet heavysnow'],
    ['Slight snow showers', 'lightsleetshowers sleetshowers lightsnowshowers snowshowers'],
    ['Heavy snow showers', 'heavysleetshowers heavysnowshowers'],
    ['Unknown', 'frogs'],
  ];

  it('have the words of the WMO codes, with every suffix', () => {
    for (const [text, bases] of SYMBOLS) {
      for (const base of bases.split(' ')) {
        for (const suffix of ['', '_day', '_night', '_polartwilight']) {
          assert.equal(conditionOf(codeOfSymbol(base + suffix)), text, base + suffix);
        }
      }
    }
  });

  it('with thunder are thunderstorms', () => {
    const wet = ['rain', 'rainshowers', 'sleet', 'sleetshowers', 'snow', 'snowshowers'];
    for (const kind of wet) {
      // Two symbols are misspelled.
      const light = /^s.+showers$/.test(kind) ? `lights${kind}` : `light${kind}`;
      for (const symbol of [light, kind, `heavy${kind}`]) {
        assert.equal(conditionOf(codeOfSymbol(`${symbol}andthunder`)), 'Thunderstorm', symbol);
      }
    }
  });
});
