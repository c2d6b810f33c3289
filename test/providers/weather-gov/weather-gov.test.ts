import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { createWeatherGov } from '../../../src/providers/weather-gov/weather-gov.js';
import { conditionOfIcon } from '../../../src/providers/weather-gov/weather-gov-icons.js';
import {
  weatherOf,
  type Observation,
} from '../../../src/providers/weather-gov/weather-gov-observation.js';
import type { WeatherProvider } from '../../../src/upstream/weather-provider.js';
import { manualClock, type ManualClock } from '../../support/manual-clock.js';
import {
  PATHS,
  stubWeather,
  type Behavior,
  type StubProvider,
} from '../../support/stub-provider.js';
import { useStubProvider } from '../../support/use-stub-provider.js';

const SEATTLE = { latitude: 47.6062, longitude: -122.3321 };

/** The stub provider reads the point from the name. */
const STATION = 'K1376062X576679';
const STATION_KEY = '47.6062,-122.3321';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe('api.weather.gov', { timeout: 60_000 }, () => {
  const fixture = useStubProvider();
  let stub: StubProvider;
  let provider: WeatherProvider;
  let clock: ManualClock;
  beforeEach(() => {
    ({ stub } = fixture);
    clock = manualClock();
    // lru-cache takes 0 for no time.
    clock.advance(1);
    provider = createWeatherGov({ client: fixture.client, baseUrl: stub.url, clock });
  });
  const respond = (path: string, value: object, status = 200) => {
    stub.behave(path, { kind: 'status', status, body: JSON.stringify(value) });
  };
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
    assert.equal((await askDaily()).value.days.length, 7);
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
    const behave = (behavior: Behavior) => {
      stub.behave(PATHS.weatherGov, behavior);
    };
    respond(PATHS.weatherGovStations, { features: stations(4) });
    behave({ kind: 'status', status: 404, times: 2 });
    await ask();
    assert.deepEqual(counts(), [1, 1, 3]);
    behave({ kind: 'status', status: 404, times: 3 });
    await assert.rejects(ask(), { kind: 'no_data' });
    assert.deepEqual(counts(), [1, 1, 6]);
    for (const damage of [{ ageMs: 4 * HOUR_MS }, { current: { temperature: null } }]) {
      behave({ kind: 'ok' });
      const calls = stub.count(PATHS.weatherGov);
      stub.damage(STATION_KEY, damage);
      await assert.rejects(ask(), { kind: 'no_data' });
      assert.equal(stub.count(PATHS.weatherGov), calls + 3);
    }
  });

  it('queries no other station if the service fails', async () => {
    respond(PATHS.weatherGovStations, { features: stations(3) });
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

  it('has the time zone at the point if the service does not report it', async () => {
    respond(PATHS.weatherGovPoint, { properties: { gridId: 'TST', gridX: 0, gridY: 0 } });
    const { value } = await provider.daily!(SEATTLE, new AbortController().signal);
    assert.equal(value.timezone, 'America/Los_Angeles');
  });

  it('rejects too many stations, before it validates them', async () => {
    respond(PATHS.weatherGovStations, { features: Array.from({ length: 501 }, () => 7) });
    await assert.rejects(ask(), { kind: 'bad_answer', message: /more than 500 items/ });
    const properties = { stationIdentifier: 'K'.repeat(41) };
    respond(PATHS.weatherGovStations, { features: [{ properties }] });
    await assert.rejects(ask(), { kind: 'bad_answer', message: /less than or equal to 40/ });
    const periods = Array.from({ length: 51 }, () => 7);
    respond(PATHS.weatherGovForecast, { properties: { periods } });
    const daily = provider.daily!(SEATTLE, new AbortController().signal);
    await assert.rejects(daily, { kind: 'bad_answer', message: /more than 50 items/ });
  });

  it('fails with a short message for a long value', async () => {
    const properties = { gridId: 'X'.repeat(100_000), gridX: 1, gridY: 1 };
    respond(PATHS.weatherGovPoint, { properties });
    await assert.rejects(ask(), { kind: 'bad_answer', message: /^weather-gov: .{1,201}$/ });
  });

  it('does not cover a point that the service does not know', async () => {
    respond(PATHS.weatherGovPoint, { type: 'https://api.weather.gov/problems/InvalidPoint' }, 404);
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

  it('reads the first of two icons, and the intensity in words', () => {
    const read = (name: string, text = '') =>
      conditionOfIcon(`https://api.weather.gov/icons/land/day/${name}?size=medium`, text);
    const violent = 'Violent rain showers';
    const freezing = 'Light freezing rain';
    const snow = 'rain_sleet rain_snow snow_sleet sleet snow';
    const texts: [icons: string, text: string, light?: string, heavy?: string][] = [
      ['skc wind_skc hot cold', 'Clear sky'],
      ['few wind_few', 'Mainly clear'],
      ['sct wind_sct', 'Partly cloudy'],
      ['bkn ovc wind_bkn wind_ovc', 'Overcast'],
      ['fog haze smoke dust', 'Fog'],
      ['rain rain,40/snow', 'Moderate rain', 'Slight rain', 'Heavy rain'],
      ['rain_showers rain_showers_hi', 'Moderate rain showers', 'Slight rain showers', violent],
      ['fzra rain_fzra snow_fzra', freezing, freezing, 'Heavy freezing rain'],
      [snow, 'Moderate snow fall', 'Slight snow fall', 'Heavy snow fall'],
      ['blizzard', 'Heavy snow fall'],
      ['tsra tsra_sct tsra_hi tornado tropical_storm hurricane', 'Thunderstorm'],
      ['frogs', 'Unknown'],
    ];
    for (const [icons, text, light = text, heavy = text] of texts) {
      for (const icon of icons.split(' ')) {
        const conditions = ['', 'Light Rain', 'Heavy Rain'].map((words) => read(icon, words));
        assert.deepEqual(conditions, [text, light, heavy], icon);
      }
    }
    assert.equal(conditionOfIcon('https://h/icons/land/night/bkn', 'Cloudy'), 'Overcast');
  });

  it('converts units, and counts a value that failed quality control as missing', () => {
    const observation = (windSpeed: object | null, more: object = {}): Observation => ({
      properties: {
        timestamp: '2026-11-24T10:00:00+00:00',
        icon: 'https://api.weather.gov/icons/land/day/few',
        textDescription: null,
        temperature: { value: 1, unitCode: 'wmoUnit:degC', qualityControl: 'V' },
        relativeHumidity: { value: 50, unitCode: 'wmoUnit:percent' },
        windSpeed,
        ...more,
      },
    });
    const read = (windSpeed: object | null, more?: object) =>
      weatherOf('weather-gov', observation(windSpeed, more));
    const unitCode = 'wmoUnit:m_s-1';
    const absent = {
      ...{ dewPoint: undefined, pressure: undefined, precipitation: undefined },
      ...{ windDirection: undefined, windGusts: undefined, visibility: undefined },
    };
    assert.deepEqual(read({ value: 10, unitCode }), {
      ...{ at: Date.parse('2026-11-24T10:00Z'), temperature: 1, humidity: 50, windSpeed: 36 },
      ...{ condition: 'Mainly clear', feelsLike: 1, ...absent },
    });
    const measured = (value: number, unit: string, qualityControl = 'V') => ({
      ...{ value, unitCode: `wmoUnit:${unit}`, qualityControl },
    });
    const amounts = ['mm', 'm', 'inches'].map(
      (unit) =>
        read(measured(10, 'km_h-1'), { precipitationLastHour: measured(0.5, unit) }).precipitation,
    );
    assert.deepEqual(amounts, [0.5, 500, undefined]);
    const others = read(measured(10, 'km_h-1'), {
      dewpoint: measured(-3, 'degC', 'X'),
      windGust: measured(10, 'm_s-1'),
      visibility: measured(16_090, 'm'),
      seaLevelPressure: measured(100_000, 'Pa'),
      barometricPressure: measured(101_190, 'Pa'),
    });
    assert.deepEqual(
      [others.dewPoint, others.windGusts, others.visibility, others.pressure],
      [undefined, 36, 16_090, 1000],
    );
    for (const qualityControl of ['X', 'B']) {
      assert.equal(read({ value: 10, unitCode, qualityControl }).windSpeed, undefined);
    }
    assert.equal(read({ value: 10, unitCode, qualityControl: 'Q' }).windSpeed, 36);
    assert.equal(read({ value: null, unitCode: 'new' }).windSpeed, undefined);
    assert.equal(read(null).windSpeed, undefined);
    assert.equal(read({ value: 1, unitCode: 'new', qualityControl: 'X' }).windSpeed, undefined);
    for (const unit of ['new', null, undefined]) {
      assert.throws(() => read({ value: 10, unitCode: unit }), { kind: 'bad_answer' });
    }

    const directionOf = (speed: number, direction: number) =>
      read(measured(speed, 'km_h-1'), { windDirection: measured(direction, 'degree_(angle)') })
        .windDirection;
    assert.deepEqual(
      [directionOf(0, 0), directionOf(5, 0), directionOf(0, 90)],
      [undefined, 0, 90],
    );

    const feelsLikeOf = (windChill: object | null, heatIndex: object | null) =>
      read(measured(10, 'km_h-1'), { windChill, heatIndex }).feelsLike;
    const none = { value: null, unitCode: 'wmoUnit:degC' };
    const feelings = [
      feelsLikeOf(measured(-5, 'degC'), none),
      feelsLikeOf(none, measured(40, 'degC')),
      feelsLikeOf(measured(-999, 'degC'), null),
      feelsLikeOf(measured(-5, 'degC', 'B'), none),
    ];
    assert.deepEqual(feelings, [-5, 40, 1, 1]);

    const conditionOf = (...presentWeather: object[]) =>
      read(measured(10, 'km_h-1'), { icon: null, presentWeather }).condition;
    assert.equal(conditionOf({ weather: 'rain', intensity: 'heavy' }), 'Heavy rain');
    assert.equal(conditionOf({ weather: 'squalls' }, { weather: 'snow' }), 'Moderate snow fall');
    assert.equal(conditionOf({ weather: 'fog_mist', intensity: null }), 'Fog');
    assert.equal(conditionOf({ weather: 'unknown' }), undefined);
    assert.equal(conditionOf(), undefined);
  });
});
