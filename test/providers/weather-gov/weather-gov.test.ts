import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { createWeatherGov } from '../../../src/providers/weather-gov/weather-gov.js';
import { readIcon } from '../../../src/providers/weather-gov/weather-gov-icons.js';
import { weatherOf } from '../../../src/providers/weather-gov/weather-gov-observation.js';
import type { WeatherProvider } from '../../../src/upstream/weather-provider.js';
import { systemClock } from '../../support/manual-clock.js';
import { PATHS, stubWeather, type StubProvider } from '../../support/stub-provider.js';
import { useStubProvider } from '../../support/use-stub-provider.js';

const SEATTLE = { latitude: 47.6062, longitude: -122.3321 };

/** The stub provider reads the point from the name. */
const STATION = 'K1376062X576679';

describe('api.weather.gov', { timeout: 60_000 }, () => {
  const fixture = useStubProvider();
  let stub: StubProvider;
  let provider: WeatherProvider;
  const create = () =>
    createWeatherGov({ client: fixture.client, baseUrl: stub.url, clock: systemClock });
  beforeEach(() => {
    ({ stub } = fixture);
    provider = create();
  });
  const respond = (path: string, value: object, status = 200) => {
    stub.behave(path, { kind: 'status', status, body: JSON.stringify(value) });
  };
  /** Stations whose observation is that of Seattle. */
  const stations = (count: number) =>
    Array.from({ length: count }, () => ({ properties: { stationIdentifier: STATION } }));
  const ask = () => provider.current!(SEATTLE, new AbortController().signal);
  const counts = () =>
    [PATHS.weatherGovPoint, PATHS.weatherGovStations, PATHS.weatherGov].map((path) =>
      stub.count(path),
    );

  it('looks up the stations of a point once', async () => {
    const { temperature } = stubWeather(SEATTLE.latitude, SEATTLE.longitude);
    assert.equal((await ask()).value.temperature, temperature);
    assert.deepEqual(counts(), [1, 1, 1]);
    await ask();
    assert.deepEqual(counts(), [1, 1, 2]);
  });

  it('queries the next station if the nearest has no observation, at most three', async () => {
    const silent = (times: number) => {
      stub.behave(PATHS.weatherGov, { kind: 'status', status: 404, times });
    };
    respond(PATHS.weatherGovStations, { features: stations(4) });
    silent(2);
    await ask();
    assert.deepEqual(counts(), [1, 1, 3]);
    silent(3);
    await assert.rejects(ask(), { kind: 'bad_answer' });
    assert.deepEqual(counts(), [1, 1, 6]);
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
    await assert.rejects(ask(), { kind: 'bad_answer', message: /^weather-gov: .{1,187}$/ });
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
      readIcon(`https://api.weather.gov/icons/land/day/${name}?size=medium`, text).condition;
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
    assert.equal(readIcon('https://h/icons/land/night/bkn', 'Cloudy').isDay, false);
  });

  it('rejects an observation of more than two hours ago', () => {
    const timestamp = '2026-11-24T10:00:00Z';
    const properties = {
      timestamp,
      icon: 'https://api.weather.gov/icons/land/day/few',
      textDescription: null,
      temperature: { value: 1, unitCode: 'wmoUnit:degC' },
      relativeHumidity: { value: 50, unitCode: 'wmoUnit:percent' },
      windSpeed: { value: 10, unitCode: 'wmoUnit:m_s-1' },
    };
    const latest = Date.parse(timestamp) + 2 * 3_600_000;
    assert.equal(weatherOf('weather-gov', { properties }, latest).wind_speed, 36);
    assert.throws(() => weatherOf('weather-gov', { properties }, latest + 1), {
      kind: 'bad_answer',
    });
  });
});
