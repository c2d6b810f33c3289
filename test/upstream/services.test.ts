import assert from 'node:assert/strict';
import { it } from 'node:test';
import { loadConfig } from '../../src/config/config.js';
import { createLifecycle } from '../../src/process/lifecycle.js';
import { createFetchServices } from '../../src/services.js';
import { CURRENT_WEATHER } from '../../src/weather/current-weather.js';
import { DAILY_FORECAST } from '../../src/weather/daily-forecast.js';
import type { Kind } from '../../src/weather/kind.js';
import { pointRequest } from '../../src/weather/point.js';
import { POSITION } from '../../src/weather/position.js';
import { manualClock } from '../support/manual-clock.js';
import { recordingLog } from '../support/records.js';
import { PATHS } from '../support/stub-provider.js';
import { useStubProvider } from '../support/use-stub-provider.js';

const OSLO = pointRequest({ latitude: 59.9127, longitude: 10.7461 });
const fixture = useStubProvider();

/** The function that fetches a value, and the log, of a process that calls one provider. */
async function setUp(provider: string) {
  const { log, records } = recordingLog();
  const { url } = fixture.stub;
  const config = loadConfig({
    WEATHER_PROVIDERS: provider,
    ...{ OPEN_METEO_URL: url, OPEN_METEO_GEOCODING_URL: url, MET_NORWAY_URL: url },
  });
  const lifecycle = createLifecycle({ log, delayMs: 0, timeoutMs: 0 });
  const { fetcher } = await createFetchServices({ config, log, clock: manualClock(), lifecycle });
  const fetchOnce = <Request>(kind: Kind<Request, unknown>, request: Request) =>
    fetcher(kind, request, { fetchId: '1', traceId: undefined }, new AbortController().signal);
  return { fetchOnce, records };
}

it('an entry is fresh and stale for the times of the settings', async () => {
  const { fetchOnce } = await setUp('open-meteo');
  async function ttlOf<Request>(kind: Kind<Request, unknown>, request: Request) {
    const { fetchedAt, freshUntil, staleUntil } = await fetchOnce(kind, request);
    return [freshUntil - fetchedAt, staleUntil - freshUntil];
  }
  assert.deepEqual(await ttlOf(CURRENT_WEATHER, OSLO), [300_000, 3_600_000]);
  assert.deepEqual(await ttlOf(DAILY_FORECAST, OSLO), [1_800_000, 3_600_000]);
  const london = { city: 'London', countryCode: 'GB', name: 'london' };
  assert.deepEqual(await ttlOf(POSITION, london), [86_400_000, 0]);
  assert.deepEqual(await ttlOf(POSITION, { ...london, countryCode: 'FR' }), [60_000, 0]);
});

it('a 203 is accepted, and logged once as a deprecation', async () => {
  const { fetchOnce, records } = await setUp('met-norway');
  const { stub } = fixture;
  await fetchOnce(CURRENT_WEATHER, OSLO);
  const regular = await fetch(stub.url + stub.calls[0]!.url);
  const body = await regular.text();
  stub.behave(PATHS.metNorway, { kind: 'status', status: 203, body });
  const deprecations = () => records.filter(({ event }) => event === 'provider_deprecated');
  assert.deepEqual(deprecations(), []);
  for (let call = 0; call < 2; call += 1) await fetchOnce(CURRENT_WEATHER, OSLO);
  const [deprecation, ...others] = deprecations();
  assert.deepEqual([deprecation?.['provider'], others], ['met-norway', []]);
});
