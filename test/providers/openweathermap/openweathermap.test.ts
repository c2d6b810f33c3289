import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { codeOfId } from '../../../src/providers/openweathermap/openweathermap-values.js';
import { conditionOf } from '../../../src/weather/conditions/conditions.js';
import type { Point } from '../../../src/weather/types.js';
import { testAbilities } from '../../contracts/abilities.js';
import { providerAt } from '../../support/providers.js';
import { stepsIn } from '../../support/steps.js';
import { dateAt, PATHS, stubWeather } from '../../support/stub-provider.js';
import { TEST_TIME } from '../../support/test-time.js';
import { useStubProvider } from '../../support/use-stub-provider.js';
import { zoned } from '../../support/zoned.js';

const STEP_MS = 3 * 3_600_000;

/** The date of the last of forty steps: the forecast does not have the amount after it. */
const lastDate = ({ latitude, longitude }: Point) => {
  const last = (Math.ceil(TEST_TIME / STEP_MS) + 39) * STEP_MS;
  return dateAt(stubWeather(latitude, longitude).timeZone, last);
};

testAbilities('openweathermap', {
  current: {
    path: PATHS.openWeatherMap,
    values: [
      ['main', 'temp'],
      ['main', 'humidity'],
      ['wind', 'speed'],
    ],
    code: ['weather', 0, 'id'],
    derived: ['dew_point', 'precipitation'],
    optional: [
      ['feels_like', ['main', 'feels_like']],
      ['pressure', ['main', 'pressure']],
      ['cloud_cover', ['clouds', 'all']],
      ['wind_direction', ['wind', 'deg']],
      ['wind_gusts', ['wind', 'gust']],
      ['visibility', ['visibility']],
    ],
    conditions: ({ visibility }) => ({ visibility }),
  },
  air: {
    path: PATHS.openWeatherMapAir,
    values: [],
    usIndex: () => null,
    derived: ['european_aqi'],
    optional: [
      ['pm2_5', ['list', 0, 'components', 'pm2_5']],
      ['pm10', ['list', 0, 'components', 'pm10']],
      ['ozone', ['list', 0, 'components', 'o3']],
      ['nitrogen_dioxide', ['list', 0, 'components', 'no2']],
      ['sulphur_dioxide', ['list', 0, 'components', 'so2']],
      ['carbon_monoxide', ['list', 0, 'components', 'co']],
    ],
  },
  daily: {
    path: PATHS.openWeatherMapForecast,
    minDays: 4,
    hasWholeToday: false,
    values: [],
    spare: [
      ['list', 12, 'main', 'temp'],
      ['list', 12, 'weather', 0, 'id'],
      ['list', 12, 'pop'],
    ],
    lacks: (point, date) => [
      ...(['uv_index_max', 'snowfall'] as const),
      ...(date === lastDate(point) ? (['precipitation'] as const) : []),
    ],
    derived: ['precipitation', 'precipitation_probability', 'temperature_min'],
    optional: [
      ['wind_speed_max', ['list', 12, 'wind', 'speed']],
      ['wind_gusts_max', ['list', 12, 'wind', 'gust']],
    ],
  },
});

describe('OpenWeatherMap', () => {
  const fixture = useStubProvider();

  const POINT = zoned({ latitude: 1, longitude: 2 });
  /** The time of the responses. */
  const NOW = Date.parse('2026-11-24T01:00Z');
  const { signal } = new AbortController();
  const create = () => providerAt('openweathermap', fixture);
  const ask = () => create().current!(POINT, signal);
  const answer = (value: unknown, path: string = PATHS.openWeatherMap) => {
    fixture.stub.respond(path, value, { at: NOW });
  };
  const sky = (id: number, cod: number | string = 200) => ({
    ...{ cod, dt: NOW / 1000 },
    weather: [{ id, icon: '04n' }, { id: 800 }],
    main: { temp: -0.04, humidity: -0.4 },
    wind: { speed: 1.34 },
  });

  it('is requested without compression', async () => {
    await ask();
    assert.equal(fixture.stub.calls[0]?.headers['accept-encoding'], 'identity');
  });

  it('has the sum of rain and snow in an hour, which is 0 in dry weather without them', async () => {
    const RAIN = 500;
    const MIST = 701;
    const cases: [id: number, amounts: object, expected: number | null][] = [
      [RAIN, { rain: { '1h': 0.4 } }, 0.4],
      [RAIN, { rain: { '1h': 0.4 }, snow: { '1h': 0.25 } }, 0.65],
      [RAIN, { snow: { '1h': 1, '3h': 5 } }, 1],
      [RAIN, { snow: { '1h': 1 }, rain: {} }, 1],
      // The amount is that of another period, or implausible.
      [RAIN, { rain: { '3h': 5 } }, null],
      [RAIN, { rain: { '1h': -999 }, snow: { '1h': 1 } }, null],
      [RAIN, { rain: {} }, 0],
      [RAIN, { rain: null }, null],
      ...[RAIN, 211, 301, 521, 622].map((id): [number, object, null] => [id, {}, null]),
      ...[MIST, 781, 800, 804].map((id): [number, object, number] => [id, {}, 0]),
    ];
    for (const [id, more, expected] of cases) {
      answer({ ...sky(id), ...more });
      const { precipitation } = (await ask()).value;
      assert.equal(precipitation, expected, `${id} ${JSON.stringify(more)}`);
    }
    for (const rain of [{ '1h': '1' }, 1, []]) {
      answer({ ...sky(500), rain });
      await assert.rejects(ask(), { kind: 'bad_answer' });
    }
  });

  it('has the words of the WMO codes for each condition', () => {
    const texts: [text: string, ids: string][] = [
      ['Thunderstorm', '200 201 202 210 211 212 221 230 231 232 771 781'],
      ['Light drizzle', '300 310'],
      ['Moderate drizzle', '301 311 313 321'],
      ['Dense drizzle', '302 312 314'],
      ['Slight rain', '500'],
      ['Moderate rain', '501'],
      ['Heavy rain', '502 503 504'],
      ['Light freezing rain', '511'],
      ['Slight rain showers', '520'],
      ['Moderate rain showers', '521 531'],
      ['Violent rain showers', '522'],
      ['Slight snow fall', '600 611 612 615'],
      ['Moderate snow fall', '601 613 616'],
      ['Heavy snow fall', '602'],
      ['Slight snow showers', '620'],
      ['Heavy snow showers', '621 622'],
      ['Fog', '701 741'],
      ['Clear sky', '800'],
      ['Mainly clear', '801'],
      ['Partly cloudy', '802'],
      ['Overcast', '803 804'],
      ['Unknown', '711 721 731 751 761 762 999'],
    ];
    for (const [text, ids] of texts) {
      for (const id of ids.split(' ')) assert.equal(conditionOf(codeOfId(Number(id))), text, id);
    }
  });

  it('has the dates that its steps of three hours cover', async () => {
    const first = Date.parse('2026-11-24T02:00Z') / 1000;
    const daysOf = async (count: number) => {
      const list = Array.from({ length: count }, (_, index) => ({
        dt: first + index * 3 * 3600,
        main: { temp: index / 10 },
        weather: [{ id: 800 }, { id: 500 }],
        pop: Math.min(index / 20, 1),
        ...([3, 8].includes(index) ? { rain: { '3h': index }, snow: { '3h': 0.5 } } : { rain: {} }),
        wind: { speed: index / 10, gust: index === 9 ? null : 10 },
      }));
      answer({ cod: '200', list }, PATHS.openWeatherMapForecast);
      const days = stepsIn((await create().daily!(POINT, signal)).value);
      return days.map((day) => [
        ...[day.date, day.condition, day.precipitation_probability],
        ...[day.precipitation, day.wind_speed_max, day.wind_gusts_max],
      ]);
    };
    const today = ['2026-11-24', 'Clear sky', 35, 3.5, 2.5, 36];
    assert.deepEqual(await daysOf(15), [today]);
    // The amount of the last three hours of the date is missing.
    const tomorrow = ['2026-11-25', 'Clear sky', 75, null, 5.4, null];
    assert.deepEqual(await daysOf(16), [today, tomorrow]);
    assert.deepEqual(await daysOf(17), [today, tomorrow.with(3, 8.5)]);
    assert.equal(fixture.stub.calls[0]?.headers['accept-encoding'], 'gzip, deflate, br');
  });

  it('has no data without its time, its conditions, or its wind', async () => {
    for (const missing of [
      { dt: null },
      { dt: undefined },
      { weather: null },
      { weather: undefined },
      { weather: [] },
      { wind: null },
    ]) {
      answer({ ...sky(800), ...missing });
      await assert.rejects(ask(), { kind: 'no_data' }, JSON.stringify(missing));
    }
    for (const wrong of [{ dt: '1' }, { main: null }, { main: undefined }, { wind: 7 }]) {
      answer({ ...sky(800), ...wrong });
      await assert.rejects(ask(), { kind: 'bad_answer' });
    }
  });
});
