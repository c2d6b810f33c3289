import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { createWeatherGov } from '../../../src/providers/weather-gov/weather-gov.js';
import { readIcon } from '../../../src/providers/weather-gov/weather-gov-icons.js';
import type { WeatherProvider } from '../../../src/upstream/weather-provider.js';
import { systemClock } from '../../support/manual-clock.js';
import { PATHS, stubWeather, type StubProvider } from '../../support/stub-provider.js';
import { useStubProvider } from '../../support/use-stub-provider.js';

const SEATTLE = { latitude: 47.6062, longitude: -122.3321 };

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
    stub.world.weatherGovSilentStations = ['KAAA', 'KBBB'];
    await ask();
    assert.deepEqual(counts(), [1, 1, 3]);
    provider = create();
    stub.world.weatherGovSilentStations = ['KAAA', 'KBBB', 'KCCC'];
    await assert.rejects(ask(), { kind: 'bad_answer' });
    assert.deepEqual(counts(), [2, 2, 6]);
  });

  it('needs one call for a forecast if the grid cell is known, and two if it is not', async () => {
    const calls = () => [stub.count(PATHS.weatherGovPoint), stub.count(PATHS.weatherGovForecast)];
    const forecast = () => provider.daily!(SEATTLE, new AbortController().signal);
    await ask();
    await forecast();
    assert.deepEqual(calls(), [1, 1]);
    provider = create();
    await forecast();
    assert.deepEqual(calls(), [2, 2]);
  });

  it('has the time zone at the point if the service does not report it', async () => {
    const properties = { gridId: 'TST', gridX: 1, gridY: 1 };
    const body = JSON.stringify({ properties });
    stub.behave(PATHS.weatherGovPoint, { kind: 'status', status: 200, body });
    const { value } = await provider.daily!(SEATTLE, new AbortController().signal);
    assert.equal(value.timezone, 'America/Los_Angeles');
  });

  it('rejects too many stations, before it validates them', async () => {
    const features = Array.from({ length: 501 }, () => 7);
    const body = JSON.stringify({ features });
    stub.behave(PATHS.weatherGovStations, { kind: 'status', status: 200, body });
    await assert.rejects(ask(), { kind: 'bad_answer', message: /more than 500 items/ });
  });

  it('fails with a short message for a long value', async () => {
    const properties = { gridId: 'X'.repeat(100_000), gridX: 1, gridY: 1 };
    const body = JSON.stringify({ properties });
    stub.behave(PATHS.weatherGovPoint, { kind: 'status', status: 200, body });
    await assert.rejects(ask(), { kind: 'bad_answer', message: /^weather-gov: .{1,187}$/ });
  });

  it('does not cover a point that the service does not know', async () => {
    stub.world.weatherGovKnows = false;
    await assert.rejects(ask(), { kind: 'not_covered' });
    assert.deepEqual(counts(), [1, 0, 0]);
  });

  it('fails after any other 404', async () => {
    stub.behave(PATHS.weatherGovPoint, { kind: 'status', status: 404, body: 'Not Found' });
    await assert.rejects(ask(), { kind: 'bad_answer' });
  });

  it('does not cover points far from the United States, without a call', () => {
    const covers = (latitude: number, longitude: number) =>
      provider.covers?.({ latitude, longitude });
    // Seattle, Honolulu, Adak, Guam, Pago Pago, San Juan.
    for (const [latitude, longitude] of [
      [47.6, -122.3],
      [21.3, -157.9],
      [51.9, -176.6],
      [13.5, 144.8],
      [-14.3, -170.7],
      [18.5, -66.1],
    ] as const) {
      assert.equal(covers(latitude, longitude), true, `${latitude},${longitude}`);
    }
    for (const [latitude, longitude] of [
      [48.9, 2.4],
      [-33.9, 151.2],
      [35.7, 139.7],
      [0, 0],
    ] as const) {
      assert.equal(covers(latitude, longitude), false, `${latitude},${longitude}`);
    }
  });

  it('reads the first of two icons, and the intensity in words', () => {
    const icon = (name: string, time = 'day') =>
      `https://api.weather.gov/icons/land/${time}/${name}`;
    assert.deepEqual(readIcon(icon('rain,40/snow?size=medium'), 'Light Rain'), {
      condition: 'Slight rain',
      isDay: true,
    });
    assert.equal(readIcon(icon('rain'), 'Heavy Rain').condition, 'Heavy rain');
    assert.equal(readIcon(icon('bkn', 'night'), 'Mostly Cloudy').isDay, false);
    assert.equal(readIcon(icon('frogs'), 'Frogs').condition, 'Unknown');
  });
});
