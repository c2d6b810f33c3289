import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { codeOf } from '../../../src/providers/weather-gov/weather-gov-conditions.js';
import { weatherOf } from '../../../src/providers/weather-gov/weather-gov-observation.js';
import {
  daysOfPeriods,
  hoursOfPeriods,
} from '../../../src/providers/weather-gov/weather-gov-periods.js';
import {
  degreesOfCompass,
  UNITS,
  valueIn,
} from '../../../src/providers/weather-gov/weather-gov-quantities.js';
import { conditionOf } from '../../../src/weather/conditions/conditions.js';
import type { WeatherProvider } from '../../../src/upstream/weather-provider.js';
import { manualClock, type ManualClock } from '../../support/manual-clock.js';
import { testAbilities } from '../../contracts/abilities.js';
import { providerAt } from '../../support/providers.js';
import { PATHS, stubWeather, type StubProvider } from '../../support/stub-provider.js';
import { TEST_TIME } from '../../support/test-time.js';
import { useStubProvider } from '../../support/use-stub-provider.js';
import { zoned } from '../../support/zoned.js';

const SEATTLE = zoned({ latitude: 47.6062, longitude: -122.3321 });

/** The stub provider reads the point from the name. */
const STATION = 'K1376062X576679';
const STATION_KEY = '47.6062,-122.3321';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const HALF_DAY = ['properties', 'periods', 4];
const HOUR = ['properties', 'periods', 3];

testAbilities('weather-gov', {
  current: {
    path: PATHS.weatherGov,
    fallback: PATHS.weatherGovHourly,
    values: [
      ['properties', 'temperature', 'value'],
      ['properties', 'relativeHumidity', 'value'],
      ['properties', 'windSpeed', 'value'],
    ],
    optional: [
      ['dew_point', ['properties', 'dewpoint', 'value']],
      ['pressure', ['properties', 'seaLevelPressure', 'value']],
      ['wind_direction', ['properties', 'windDirection', 'value']],
      ['wind_gusts', ['properties', 'windGust', 'value']],
      ['visibility', ['properties', 'visibility', 'value']],
    ],
    conditions: ({ temperature, feelsLike, rain, visibility }) => ({
      feels_like: temperature < 10 || temperature > 21 ? feelsLike : temperature,
      cloud_cover: null,
      precipitation: rain === 0 ? null : rain,
      visibility,
    }),
  },
  daily: {
    path: PATHS.weatherGovForecast,
    minDays: 5,
    hasWholeToday: false,
    values: [[...HALF_DAY, 'temperature']],
    spare: [[...HALF_DAY, 'probabilityOfPrecipitation', 'value']],
    lacks: () => ['precipitation', 'wind_gusts_max', 'uv_index_max', 'snowfall'],
    optional: [],
  },
  hourly: {
    path: PATHS.weatherGovHourly,
    minHours: 155,
    lacks: () => ['cloud_cover', 'precipitation', 'wind_gusts'],
    computesFeelsLike: true,
    values: [[...HOUR, 'temperature']],
    optional: [
      ['humidity', [...HOUR, 'relativeHumidity', 'value']],
      ['precipitation_probability', [...HOUR, 'probabilityOfPrecipitation', 'value']],
    ],
  },
});

describe('api.weather.gov', () => {
  const fixture = useStubProvider();
  let stub: StubProvider;
  let provider: WeatherProvider;
  let clock: ManualClock;
  beforeEach(() => {
    ({ stub } = fixture);
    clock = manualClock(TEST_TIME);
    // lru-cache takes 0 for no time.
    clock.advance(1);
    provider = providerAt('weather-gov', fixture, { clock });
  });
  /** Stations whose observation is that of Seattle. */
  const stations = (count: number) =>
    Array.from({ length: count }, () => ({ properties: { stationIdentifier: STATION } }));
  const ask = () => provider.current!(SEATTLE, new AbortController().signal);
  const askDaily = () => provider.daily!(SEATTLE, new AbortController().signal);
  const countsOf = (...paths: string[]) => paths.map((path) => stub.count(path));
  const counts = () => countsOf(PATHS.weatherGovPoint, PATHS.weatherGovStations, PATHS.weatherGov);
  const dailyCounts = () => countsOf(PATHS.weatherGovPoint, PATHS.weatherGovForecast);

  it('looks up the cell and the stations of a point once a day', async () => {
    const { temperature } = stubWeather(SEATTLE.latitude, SEATTLE.longitude);
    assert.equal((await ask()).value.temperature, temperature);
    assert.deepEqual(counts(), [1, 1, 1]);
    clock.advance(DAY_MS - 1);
    await ask();
    assert.deepEqual(counts(), [1, 1, 2]);
    clock.advance(2);
    await ask();
    assert.deepEqual(counts(), [2, 2, 3]);
  });

  it('looks up the cell of a point again if the service does not know it any more', async () => {
    await askDaily();
    assert.deepEqual(dailyCounts(), [1, 1]);
    stub.world.gridOffice = 'NEW';
    assert.ok((await askDaily()).value.date.length >= 6);
    assert.deepEqual(dailyCounts(), [2, 3]);
    await askDaily();
    assert.deepEqual(dailyCounts(), [2, 4]);

    await ask();
    assert.deepEqual(counts(), [2, 1, 1]);
    stub.world.gridOffice = 'OLD';
    clock.advance(1);
    await askDaily();
    await ask();
    assert.deepEqual(counts(), [3, 2, 2]);
  });

  it('looks up a cell once more for each call while the service does not know the cell that it names', async () => {
    const unknown = { kind: 'no_data', status: 404 };
    stub.behave(PATHS.weatherGovForecast, { kind: 'status', status: 404 });
    await assert.rejects(askDaily(), unknown);
    assert.deepEqual(dailyCounts(), [1, 1]);
    stub.behave(PATHS.weatherGovForecast);
    await askDaily();
    assert.deepEqual(dailyCounts(), [2, 2]);
    stub.behave(PATHS.weatherGovForecast, { kind: 'status', status: 404 });
    await assert.rejects(askDaily(), unknown);
    assert.deepEqual(dailyCounts(), [3, 4]);
    stub.behave(PATHS.weatherGovStations, { kind: 'status', status: 404 });
    await assert.rejects(ask(), unknown);
  });

  it('keeps its cell after any other failure', async () => {
    await askDaily();
    for (const status of [500, 403, 429]) {
      stub.behave(PATHS.weatherGovForecast, { kind: 'status', status });
      await assert.rejects(askDaily());
    }
    stub.behave(PATHS.weatherGovForecast);
    stub.damage(STATION_KEY, { ageMs: 8 * DAY_MS });
    await assert.rejects(askDaily(), { kind: 'no_data' });
    assert.equal(stub.count(PATHS.weatherGovPoint), 1);
  });

  it('queries the next station if the nearest has no good observation, at most three', async () => {
    stub.respond(PATHS.weatherGovStations, { features: stations(4) });
    const hourly = () => stub.count(PATHS.weatherGovHourly);
    stub.behave(PATHS.weatherGov, { kind: 'status', status: 404, times: 2 });
    await ask();
    assert.deepEqual([counts(), hourly()], [[1, 1, 3], 0]);
    stub.behave(PATHS.weatherGov, { kind: 'status', status: 404, times: 3 });
    await ask();
    assert.deepEqual([counts(), hourly()], [[1, 1, 6], 1]);
  });

  it('has the current hour of the hourly forecast if no station has a good observation', async () => {
    const hours = (await provider.hourly!(SEATTLE, new AbortController().signal)).value;
    for (const [features, status] of [
      [[], 200],
      [stations(1), 404],
    ] as const) {
      clock.advance(DAY_MS);
      stub.respond(PATHS.weatherGovStations, { features });
      stub.behave(PATHS.weatherGov, { kind: 'status', status, body: '{}' });
      const { value } = await ask();
      assert.deepEqual(
        [value.time, value.temperature, value.humidity, value.weather_code, value.pressure],
        [hours.time[0], hours.temperature[0], hours.humidity[0], hours.weather_code[0], null],
      );
    }
    stub.damage(STATION_KEY, { ageMs: 8 * DAY_MS });
    await assert.rejects(ask(), { kind: 'no_data' });
  });

  it('queries no other station if the service fails', async () => {
    stub.respond(PATHS.weatherGovStations, { features: stations(3) });
    for (const [behavior, kind] of [
      [{ kind: 'status', status: 500 }, 'unavailable'],
      [{ kind: 'status', status: 200, body: '{}' }, 'bad_answer'],
    ] as const) {
      const calls = stub.count(PATHS.weatherGov);
      stub.behave(PATHS.weatherGov, behavior);
      await assert.rejects(ask(), { kind });
      assert.equal(stub.count(PATHS.weatherGov), calls + 1);
    }
  });

  it('rejects too many stations, before it validates them', async () => {
    stub.respond(PATHS.weatherGovStations, { features: Array.from({ length: 501 }, () => 7) });
    await assert.rejects(ask(), { kind: 'bad_answer', message: /more than 500 items/ });
    const properties = { stationIdentifier: 'K'.repeat(41) };
    stub.respond(PATHS.weatherGovStations, { features: [{ properties }] });
    await assert.rejects(ask(), { kind: 'bad_answer', message: /less than or equal to 40/ });
    const periods = Array.from({ length: 301 }, () => 7);
    stub.respond(PATHS.weatherGovForecast, { properties: { periods } });
    const daily = provider.daily!(SEATTLE, new AbortController().signal);
    await assert.rejects(daily, { kind: 'bad_answer', message: /more than 300 items/ });
  });

  it('does not cover a point that the service does not know', async () => {
    const problem = { type: 'https://api.weather.gov/problems/InvalidPoint' };
    stub.respond(PATHS.weatherGovPoint, problem, { status: 404 });
    await assert.rejects(ask(), { kind: 'not_covered' });
    assert.deepEqual(counts(), [1, 0, 0]);
  });

  it('fails after any other 404', async () => {
    stub.behave(PATHS.weatherGovPoint, { kind: 'status', status: 404, body: 'Not Found' });
    await assert.rejects(ask(), { kind: 'bad_answer' });
  });

  it('does not cover points far from the United States, without a call', () => {
    const rows: [place: string, latitude: number, longitude: number, isCovered: boolean][] = [
      ['Seattle', 47.6, -122.3, true],
      ['Tokyo', 35.7, 139.7, false],
      ['the southwest of the States', 17, -180, true],
      ['the northeast of the States', 72, -64, true],
      ['the Caribbean Sea', 16.9, -100, false],
      ['the Beaufort Sea', 72.1, -100, false],
      ['the Atlantic Ocean', 40, -63.9, false],
      ['the southwest of the Near Islands', 51, 172, true],
      ['the northeast of the Near Islands', 54, 179.9, true],
      ['the Bering Sea', 54.1, 175, false],
      ['the southwest of the Marianas', 13, 144, true],
      ['the northeast of the Marianas', 21, 146.5, true],
      ['the sea north of the Marianas', 21.1, 145, false],
      ['the sea east of the Marianas', 15, 146.6, false],
      ['the southwest of American Samoa', -15, -172, true],
      ['the northeast of American Samoa', -10.5, -168, true],
      ['the sea south of American Samoa', -15.1, -170, false],
      ['the sea west of American Samoa', -12, -172.1, false],
    ];
    for (const [place, latitude, longitude, isCovered] of rows) {
      assert.equal(provider.covers?.({ latitude, longitude }), isCovered, place);
    }
  });
});

describe('the values of api.weather.gov', () => {
  /** A point in time before the end of daylight saving time. */
  const NOW = Date.parse('2026-11-01T05:20:00Z');
  const ICON = 'https://api.weather.gov/icons/land/night/';

  const period = (startTime: string, more: object = {}) => ({
    startTime,
    ...{ temperature: 50, temperatureUnit: 'F', windSpeed: '10 mph', windDirection: 'SSW' },
    ...{ icon: `${ICON}rain,25?size=small`, shortForecast: 'Light Rain' },
    ...more,
  });
  const hoursOf = (...periods: unknown[]) =>
    hoursOfPeriods({ properties: { periods } }, NOW - HOUR_MS, NOW + 2 * DAY_MS);

  it('are those of hours at instants, also where a local hour occurs twice', () => {
    const hours = hoursOf(
      period('2026-11-01T01:00:00-04:00'),
      period('2026-11-01T01:00:00-05:00'),
      period('2026-11-01T02:00:00-05:00'),
    );
    const times = hours.map(({ time }) => new Date(time).toISOString().slice(11, 16));
    assert.deepEqual(times, ['05:00', '06:00', '07:00']);
  });

  it('are in the units of the contract', () => {
    const [plain, quantities] = hoursOf(
      period('2026-11-01T01:00:00-04:00', {
        probabilityOfPrecipitation: { unitCode: 'wmoUnit:percent', value: null },
        relativeHumidity: { unitCode: 'wmoUnit:percent', value: 87 },
        windGust: null,
      }),
      period('2026-11-01T01:00:00-05:00', {
        temperature: { unitCode: 'wmoUnit:degC', value: 12.5 },
        temperatureUnit: undefined,
        windSpeed: { unitCode: 'wmoUnit:km_h-1', minValue: 5, maxValue: 20 },
        windGust: { unitCode: 'wmoUnit:km_h-1', value: 44 },
        ...{ windDirection: '', icon: null, shortForecast: '' },
      }),
    );
    assert.deepEqual(plain, {
      ...{ time: Date.parse('2026-11-01T05:00Z'), temperature: 10, humidity: 87 },
      ...{ wind_speed: 16.09344, wind_direction: 202.5, wind_gusts: undefined },
      ...{ weather_code: 61, feels_like: 10, precipitation_probability: undefined },
    });
    assert.deepEqual(quantities, {
      ...{ time: Date.parse('2026-11-01T06:00Z'), temperature: 12.5, humidity: undefined },
      ...{ wind_speed: 20, wind_direction: undefined, wind_gusts: 44 },
      ...{ weather_code: undefined, feels_like: 12.5, precipitation_probability: undefined },
    });
  });

  it('are validated only for the next hours, and their times always', () => {
    assert.deepEqual(hoursOf({ startTime: '2026-11-20T01:00:00-04:00', temperature: true }), []);
    for (const bad of [
      { startTime: 'now' },
      7,
      period('2026-11-01T01:00:00-04:00', { temperature: '50' }),
      period('2026-11-01T01:00:00-04:00', { windSpeed: 10 }),
      period('2026-11-01T01:00:00-04:00', { relativeHumidity: 87 }),
    ]) {
      assert.throws(() => hoursOf(bad), { kind: 'bad_answer' }, JSON.stringify(bad));
    }
  });

  it('are wind speeds in words, of which the upper end counts, or objects', () => {
    const kmh = (reported: Parameters<typeof valueIn>[1]) => valueIn(UNITS.kmh, reported);
    const speeds = ['0 mph', '15 km/h', '5 to 10 km/h', '10 to 100 km/h', '9 to 10 km/h'];
    assert.deepEqual(speeds.map(kmh), [0, 15, 10, 100, 10]);
    assert.equal(kmh('10 mph'), 16.09344);
    for (const unknown of ['', '10 knots', 'breezy', '-5 mph', '5 to mph', null, undefined]) {
      assert.equal(kmh(unknown), undefined, String(unknown));
    }
    assert.equal(kmh({ unitCode: 'wmoUnit:m_s-1', value: 10 }), 36);
    assert.equal(kmh({ unitCode: 'new', value: 10 }), undefined);
    assert.equal(kmh({ unitCode: 'wmoUnit:km_h-1', value: null }), undefined);
  });

  it('are points of the compass, and temperatures in any of the forms of the service', () => {
    const degrees = ['N', 'NNE', 'E', 'SW', 'NNW', '', 'n', null].map(degreesOfCompass);
    assert.deepEqual(degrees, [0, 22.5, 90, 225, 337.5, undefined, undefined, undefined]);
    const temperatures: [temperature: unknown, unit: unknown, celsius: number | undefined][] = [
      [50, 'F', 10],
      [10, 'C', 10],
      [10, 'wmoUnit:degC', 10],
      [50, 'K', undefined],
      [null, 'F', undefined],
      [{ unitCode: 'wmoUnit:degF', value: 50 }, 'C', 10],
      [{ unitCode: 'wmoUnit:degC', value: 10, qualityControl: 'V' }, undefined, 10],
      [{ unitCode: 'unit:degC', value: 10 }, '', 10],
      [{ unitCode: 'wmoUnit:degC', minValue: 4, maxValue: 10 }, null, 10],
      [{ unitCode: 'wmoUnit:degC', value: null, maxValue: 10 }, null, 10],
      [{ value: 50 }, 'F', 10],
      [{ unitCode: null, value: 50 }, 'F', 10],
      [{ unitCode: '', value: 10 }, 'C', 10],
      [{ value: 50 }, undefined, undefined],
    ];
    for (const [temperature, temperatureUnit, celsius] of temperatures) {
      const hour = period('2026-11-01T01:00:00-04:00', { temperature, temperatureUnit });
      const sent = JSON.stringify(hour);
      assert.equal(hoursOf(JSON.parse(sent))[0]?.temperature, celsius, sent);
    }
  });

  const half = (start: string, temperature: unknown, more: object = {}) => ({
    ...period(`2026-11-${start}:00:00-10:00`, { icon: `${ICON}few`, shortForecast: 'Sunny' }),
    ...{ isDaytime: /T(0[6-9]|1[0-7])/.test(start), temperature, temperatureUnit: 'C' },
    ...{ probabilityOfPrecipitation: { value: null }, ...more },
  });
  const daysOf = (...periods: object[]) => daysOfPeriods({ properties: { periods } });

  it('are the maximum of a daytime, and the minimum of the night before it', () => {
    const days = daysOf(
      half('24T14', 30),
      half('24T18', 20, { probabilityOfPrecipitation: { value: 30 } }),
      half('24T18', 20, { probabilityOfPrecipitation: { value: 900 } }),
      half('25T06', 29),
      half('25T18', 18),
      half('26T06', 28),
    );
    assert.deepEqual(
      days.map((day) => [
        ...[day.date, day.temperature_min, day.temperature_max, day.precipitation_probability],
      ]),
      [
        // The night before is over.
        ['2026-11-24', 20, 30, 30],
        ['2026-11-25', 20, 29, undefined],
        ['2026-11-26', 18, 28, undefined],
      ],
    );
    const [, today] = daysOf(half('24T02', 17), half('24T06', 30), half('24T18', 20));
    assert.equal(today?.temperature_min, 17);
    const [, without] = daysOf(half('24T18', null), half('25T06', 30), half('25T18', 20));
    assert.equal(without?.temperature_min, 20);
  });

  it('are those of the date before for a night that began before midnight', () => {
    const days = daysOf(half('24T02', 20), half('24T06', 30), half('24T18', 21));
    assert.deepEqual(
      days.map(({ date, temperature_max }) => [date, temperature_max]),
      [
        ['2026-11-23', undefined],
        ['2026-11-24', 30],
      ],
    );
    const dates = ['24T05', '24T06'].map(
      (start) => daysOf(half(start, 20, { isDaytime: false }))[0]?.date,
    );
    assert.deepEqual(dates, ['2026-11-23', '2026-11-24']);
    assert.equal(daysOf(half('99T02', 20))[0]?.date, '2026-11-99');
    assert.throws(() => daysOf(half('24T06', 20, { isDaytime: undefined })), {
      kind: 'bad_answer',
    });
  });

  it('are the most severe condition of a day, of two icons too', () => {
    const ofNight = (more: object) => daysOf(half('24T06', 30), half('24T18', 20, more))[0]!;
    const codes = ['few', 'rain,40/tsra_sct,60', 'frogs'].map(
      (icon) => ofNight({ icon: ICON + icon, shortForecast: '' }).weather_code,
    );
    assert.deepEqual(codes, [1, 95, 1]);
    assert.equal(ofNight({ icon: null, shortForecast: 'Snow' }).weather_code, 73);
    assert.equal(ofNight({ icon: null, shortForecast: null }).weather_code, 1);
    const [hazy] = daysOf(half('24T06', 30, { icon: `${ICON}haze`, shortForecast: 'Haze' }));
    assert.equal(hazy?.weather_code, -1);
  });

  it('are the condition of the first icon with the intensity in words', () => {
    const read = (name: string, text = '') => conditionOf(codeOf(`${ICON}${name}?size=x`, text)!);
    const violent = 'Violent rain showers';
    const freezing = 'Light freezing rain';
    const snow = 'rain_sleet rain_snow snow_sleet sleet snow';
    const texts: [icons: string, text: string, light?: string, heavy?: string][] = [
      ['skc wind_skc', 'Clear sky'],
      ['few wind_few', 'Mainly clear'],
      ['sct wind_sct', 'Partly cloudy'],
      ['bkn ovc wind_bkn wind_ovc', 'Overcast'],
      ['fog', 'Fog'],
      ['rain rain,40/snow', 'Moderate rain', 'Slight rain', 'Heavy rain'],
      ['rain_showers rain_showers_hi', 'Moderate rain showers', 'Slight rain showers', violent],
      ['fzra rain_fzra snow_fzra', freezing, freezing, 'Heavy freezing rain'],
      [snow, 'Moderate snow fall', 'Slight snow fall', 'Heavy snow fall'],
      ['tsra tsra_sct tsra_hi tornado tropical_storm hurricane', 'Thunderstorm'],
    ];
    for (const [icons, text, light = text, heavy = text] of texts) {
      for (const icon of icons.split(' ')) {
        const conditions = ['', 'Light Rain', 'Heavy Rain'].map((words) => read(icon, words));
        assert.deepEqual(conditions, [text, light, heavy], icon);
      }
    }
  });

  it('are the condition in words where the icon says nothing of the sky, or is missing', () => {
    const icons = ['hot', 'cold', 'smoke', 'haze', 'dust', 'blizzard', 'frogs'];
    const rows: [words: string, condition: string][] = [
      ['Sunny', 'Clear sky'],
      ['Mostly Clear', 'Mainly clear'],
      ['Mostly Sunny', 'Mainly clear'],
      ['Partly Sunny', 'Partly cloudy'],
      ['Partly Cloudy', 'Partly cloudy'],
      ['Mostly Cloudy', 'Overcast'],
      ['Cloudy', 'Overcast'],
      ['Haze then Sunny', 'Clear sky'],
      ['Patchy Smoke', 'Unknown'],
      ['Chance Light Rain', 'Slight rain'],
      ['Scattered Rain Showers', 'Moderate rain showers'],
      ['Chance Snow Showers', 'Moderate snow fall'],
      ['Light Freezing Drizzle', 'Light freezing rain'],
      ['Patchy Freezing Fog', 'Depositing rime fog'],
      ['Areas Of Fog', 'Fog'],
      ['Showers And Thunderstorms', 'Thunderstorm'],
      ['Blizzard', 'Heavy snow fall'],
      ['Patchy Blowing Snow', 'Slight snow fall'],
      ['Heavy Snow and Blowing Snow', 'Heavy snow fall'],
      ['Snow and Areas of Blowing Snow', 'Moderate snow fall'],
    ];
    for (const [words, condition] of rows) {
      for (const icon of icons) {
        // This icon suffices if the words say nothing.
        if (icon === 'blizzard' && condition === 'Unknown') continue;
        assert.equal(conditionOf(codeOf(ICON + icon, words)!), condition, `${icon} ${words}`);
      }
      for (const icon of [null, undefined, '']) {
        assert.equal(conditionOf(codeOf(icon, words)!), condition, words);
      }
    }
    const bare = icons.map((icon) => conditionOf(codeOf(ICON + icon, '')!));
    assert.deepEqual(bare, [...Array<string>(5).fill('Unknown'), 'Heavy snow fall', 'Unknown']);
    assert.equal(codeOf(null, ''), undefined);
  });

  const read = (more: object) =>
    weatherOf({
      properties: {
        ...{ timestamp: '2026-11-24T10:00:00+00:00', icon: `${ICON}few`, textDescription: null },
        temperature: { value: 1, unitCode: 'wmoUnit:degC', qualityControl: 'V' },
        relativeHumidity: { value: 50, unitCode: 'wmoUnit:percent' },
        windSpeed: measured(10, 'km_h-1'),
        ...more,
      },
    });
  const measured = (value: number, unit: string, qualityControl = 'V') => ({
    ...{ value, unitCode: `wmoUnit:${unit}`, qualityControl },
  });

  it('are measurements in known units that did not fail quality control', () => {
    const unitCode = 'wmoUnit:m_s-1';
    assert.deepEqual(read({ windSpeed: { value: 10, unitCode } }), {
      ...{ time: Date.parse('2026-11-24T10:00Z'), temperature: 1, humidity: 50, wind_speed: 36 },
      ...{ weather_code: 1, feels_like: 1, dew_point: undefined, pressure: undefined },
      ...{ precipitation: undefined, wind_direction: undefined, wind_gusts: undefined },
      visibility: undefined,
    });
    const amounts = ['mm', 'm', 'inches'].map(
      (unit) => read({ precipitationLastHour: measured(0.5, unit) }).precipitation,
    );
    assert.deepEqual(amounts, [0.5, 500, undefined]);
    const others = read({
      dewpoint: measured(-3, 'degC', 'X'),
      windGust: measured(10, 'm_s-1'),
      visibility: measured(16_090, 'm'),
      seaLevelPressure: measured(100_000, 'Pa'),
      barometricPressure: measured(101_190, 'Pa'),
    });
    assert.deepEqual(
      [others.dew_point, others.wind_gusts, others.visibility, others.pressure],
      [undefined, 36, 16_090, 1000],
    );
    for (const windSpeed of [
      { value: 10, unitCode, qualityControl: 'X' },
      { value: 10, unitCode, qualityControl: 'B' },
      { value: 1, unitCode: 'new', qualityControl: 'X' },
      { value: null, unitCode: 'new' },
      null,
    ]) {
      assert.equal(read({ windSpeed }).wind_speed, undefined);
    }
    const doubted = { value: 10, unitCode, qualityControl: 'Q' };
    assert.equal(read({ windSpeed: doubted }).wind_speed, 36);
    for (const unit of ['new', null, undefined]) {
      assert.throws(() => read({ windSpeed: { value: 10, unitCode: unit } }), {
        kind: 'bad_answer',
      });
    }
  });

  it('are the wind chill or the heat index as the apparent temperature', () => {
    const feelsLikeOf = (windChill: object | null, heatIndex: object | null) =>
      read({ windChill, heatIndex }).feels_like;
    const none = { value: null, unitCode: 'wmoUnit:degC' };
    const feelings = [
      feelsLikeOf(measured(-5, 'degC'), none),
      feelsLikeOf(none, measured(40, 'degC')),
      feelsLikeOf(measured(-999, 'degC'), null),
      feelsLikeOf(measured(-5, 'degC', 'B'), none),
    ];
    assert.deepEqual(feelings, [-5, 40, 1, 1]);
  });

  it('are the present weather or the clouds if icon and words say nothing of the sky', () => {
    const codeFor = (presentWeather: object[], ...amounts: string[]) =>
      read({ icon: null, presentWeather, cloudLayers: amounts.map((amount) => ({ amount })) })
        .weather_code;
    assert.equal(codeFor([{ weather: 'rain', intensity: 'heavy' }]), 65);
    assert.equal(codeFor([{ weather: 'squalls' }, { weather: 'snow' }]), 73);
    assert.equal(codeFor([{ weather: 'snow', modifier: 'blowing' }]), 71);
    assert.equal(codeFor([{ weather: 'rain', modifier: 'freezing' }]), 66);
    assert.equal(codeFor([{ weather: 'fog_mist', intensity: null }]), 45);
    assert.equal(codeFor([{ weather: 'smoke' }], 'FEW', 'SCT'), 2);
    assert.equal(codeFor([], 'CLR'), 0);
    assert.equal(codeFor([{ weather: 'unknown' }], 'VV'), undefined);
    assert.equal(codeFor([]), undefined);
    const hazy = { icon: `${ICON}haze`, textDescription: 'Haze' };
    assert.equal(read({ ...hazy, cloudLayers: [{ amount: 'OVC' }] }).weather_code, 3);
    assert.equal(read(hazy).weather_code, -1);
    assert.equal(read({ icon: null, textDescription: 'Light Snow' }).weather_code, 71);
  });
});
