import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { loadConfig } from '../../src/config/config.js';
import { REMOTE_PROVIDER_NAMES } from '../../src/config/providers.js';
import { createLifecycle } from '../../src/process/lifecycle.js';
import { createCommonServices } from '../../src/services.js';
import { CURRENT_WEATHER } from '../../src/weather/kinds/current-weather.js';
import { DAILY_FORECAST } from '../../src/weather/kinds/daily-forecast.js';
import type { Kind } from '../../src/weather/kinds/kind.js';
import { pointRequest } from '../../src/weather/kinds/point.js';
import { POSITION } from '../../src/weather/kinds/position.js';
import { manualClock } from '../support/manual-clock.js';
import { recordingLog } from '../support/records.js';
import { scope } from '../support/scope.js';
import { PATHS } from '../support/stub-provider.js';
import { TEST_TIME } from '../support/test-time.js';
import { useStubProvider } from '../support/use-stub-provider.js';

it('every provider has a file that tests its abilities', () => {
  for (const name of REMOTE_PROVIDER_NAMES) {
    const text = readFileSync(join(import.meta.dirname, name, `${name}.test.ts`), 'utf8');
    assert.ok(text.includes(`testAbilities('${name}', {`), name);
  }
});

const OSLO = pointRequest({ latitude: 59.9127, longitude: 10.7461 });
const LONDON = { city: 'London', countryCode: 'GB', name: 'london' };

describe('the configured providers', () => {
  const fixture = useStubProvider();

  /** The log of a process, and its function that fetches a value. */
  async function start(env: Record<string, string>) {
    const { log, records } = recordingLog();
    const { url } = fixture.stub;
    const urls = {
      ...{ OPEN_METEO_URL: url, OPEN_METEO_GEOCODING_URL: url, MET_NORWAY_URL: url },
      AVIATION_WEATHER_URL: url,
    };
    const config = loadConfig({ ...urls, ...env });
    const lifecycle = createLifecycle({ log, delayMs: 0, timeoutMs: 0 });
    const { fetching } = await createCommonServices({
      config,
      log,
      clock: manualClock(TEST_TIME),
      lifecycle,
    });
    const fetchOnce = <Request>(kind: Kind<Request, unknown>, request: Request) =>
      fetching.fetcher(kind, request, scope());
    return { fetchOnce, records };
  }

  it('supply entries with the TTLs of the settings', async () => {
    const { fetchOnce } = await start({ WEATHER_PROVIDERS: 'open-meteo' });
    async function ttlOf<Request>(kind: Kind<Request, unknown>, request: Request) {
      const { fetchedAt, freshUntil, staleUntil } = await fetchOnce(kind, request);
      return [freshUntil - fetchedAt, staleUntil - freshUntil];
    }
    assert.deepEqual(await ttlOf(CURRENT_WEATHER, OSLO), [300_000, 3_600_000]);
    assert.deepEqual(await ttlOf(DAILY_FORECAST, OSLO), [1_800_000, 3_600_000]);
    assert.deepEqual(await ttlOf(POSITION, LONDON), [86_400_000, 0]);
    assert.deepEqual(await ttlOf(POSITION, { ...LONDON, countryCode: 'FR' }), [60_000, 0]);
  });

  it('supply a forecast of one day until the day is over', async () => {
    const ttl = { FORECAST_TTL_SECONDS: '86400', STALE_IF_ERROR_SECONDS: '86400' };
    const { fetchOnce } = await start({ WEATHER_PROVIDERS: 'open-meteo', ...ttl });
    const time = [new Date(TEST_TIME).toISOString().slice(0, 10)];
    const values = { temperature_2m_min: [1], temperature_2m_max: [2], weather_code: [3] };
    fixture.stub.respond(PATHS.openMeteo, { daily: { time, ...values } });
    const { fetchedAt, staleUntil } = await fetchOnce(DAILY_FORECAST, { ...OSLO, timeZone: 'UTC' });
    const midnight = Math.floor(TEST_TIME / 86_400_000 + 1) * 86_400_000;
    assert.equal(staleUntil - fetchedAt, midnight - TEST_TIME);
  });

  it('know the height of the point', async () => {
    const { fetchOnce } = await start({ WEATHER_PROVIDERS: 'aviation-weather' });
    const { latitude: lat, longitude: lon } = OSLO.point;
    const report = {
      ...{ icaoId: 'ENXX', lat, lon, elev: 1000, obsTime: Math.floor(TEST_TIME / 1000) },
      ...{ temp: 1, dewp: 0, wspd: 2, cover: 'OVC' },
    };
    fixture.stub.respond(PATHS.aviationWeather, [report]);
    await fetchOnce(CURRENT_WEATHER, { ...OSLO, elevation: 1300 });
    await assert.rejects(fetchOnce(CURRENT_WEATHER, { ...OSLO, elevation: 1301 }));
  });

  it('share a call of a budget for neighbors, at the same time and later', async () => {
    const budget = { PROVIDER_BUDGETS: 'aviation-weather=1/60' };
    const { fetchOnce } = await start({ WEATHER_PROVIDERS: 'aviation-weather', ...budget });
    const report = {
      ...{ icaoId: 'ENXX', lat: 59.95, lon: 10.75, obsTime: Math.floor(TEST_TIME / 1000) },
      ...{ temp: 1, dewp: 0, wspd: 2, cover: 'OVC' },
    };
    fixture.stub.respond(PATHS.aviationWeather, [report]);
    const neighbors = [59.91, 59.92, 59.93].map((latitude) =>
      pointRequest({ latitude, longitude: 10.75 }),
    );
    const fetchAt = (request: typeof OSLO) => fetchOnce(CURRENT_WEATHER, request);
    const calls = () => fixture.stub.count(PATHS.aviationWeather);
    const before = calls();
    await Promise.all(neighbors.slice(1).map(fetchAt));
    await fetchAt(neighbors[0]!);
    assert.equal(calls() - before, 1);
    const elsewhere = pointRequest({ latitude: 1, longitude: 1 });
    await assert.rejects(fetchAt(elsewhere), /budget used up/);
  });

  it('may respond with a 203, which is logged once', async () => {
    const { fetchOnce, records } = await start({ WEATHER_PROVIDERS: 'met-norway' });
    const { stub } = fixture;
    await fetchOnce(CURRENT_WEATHER, OSLO);
    const regular = await fetch(stub.url + stub.calls[0]!.url);
    const body = await regular.text();
    stub.behave(PATHS.metNorway, { kind: 'status', status: 203, body });
    const deprecations = () => records.filter(({ event }) => event === 'provider_deprecated');
    assert.deepEqual(deprecations(), []);
    for (let call = 0; call < 2; call += 1) await fetchOnce(CURRENT_WEATHER, OSLO);
    assert.deepEqual(
      deprecations().map(({ provider }) => provider),
      ['met-norway'],
    );
  });
});
