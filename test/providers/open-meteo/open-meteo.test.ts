import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { UpstreamError } from '../../../src/base/errors.js';
import { createOpenMeteo } from '../../../src/providers/open-meteo/open-meteo.js';
import {
  openMeteoCost,
  PATHS,
  stubWeather,
  type StubProvider,
} from '../../support/stub-provider.js';
import { useStubProvider } from '../../support/use-stub-provider.js';

describe('Open-Meteo', { timeout: 60_000 }, () => {
  const fixture = useStubProvider();
  const { client } = fixture;
  let stub: StubProvider;
  beforeEach(() => {
    ({ stub } = fixture);
  });

  const ask = (apiKey?: string) =>
    createOpenMeteo({ client, baseUrl: stub.url, apiKey }).current!(
      { latitude: 1, longitude: 2 },
      new AbortController().signal,
    );
  /** Responds with an error at a time of the service's clock, and returns the kind and the wait. */
  const refused = async (reason: string, status = 429, date = 'Sat, 21 Nov 2026 10:40:30 GMT') => {
    stub.behave(PATHS.openMeteo, {
      kind: 'status',
      status,
      body: JSON.stringify({ reason, error: true }),
      headers: { date },
    });
    const error: unknown = await ask().catch((caught: unknown) => caught);
    assert.ok(error instanceof UpstreamError);
    return [error.kind, error.retryAfterMs];
  };

  it('sends an API key only if one is set', async () => {
    await ask('secret');
    assert.equal(stub.calls[0]?.query['apikey'], 'secret');
    await ask();
    assert.ok(!('apikey' in stub.calls[1]!.query));
    assert.equal(stub.calls[0].headers['accept-encoding'], 'identity');
  });

  it('waits until the end of the window that a 429 names', async () => {
    const minute = 'Minutely API request limit exceeded. Please try again in one minute.';
    const hour = 'Hourly API request limit exceeded. Please try again in the next hour.';
    const day = 'Daily API request limit exceeded. Please try again tomorrow.';
    assert.deepEqual(await refused(minute), ['quota', 60_000]);
    assert.deepEqual(await refused(hour), ['quota', (19 * 60 + 30) * 1000]);
    assert.deepEqual(await refused(day), ['quota', ((13 * 60 + 19) * 60 + 30) * 1000]);
    assert.deepEqual(await refused('Too many concurrent requests'), ['quota', 3000]);
    assert.deepEqual(await refused('Something new'), ['quota', 60_000]);
  });

  it('waits a minute after a 429 that can be about the window before', async () => {
    for (const window of ['Hourly', 'Daily']) {
      const reason = `${window} API request limit exceeded.`;
      const waits = await refused(reason, 429, 'Sat, 21 Nov 2026 00:01:29 GMT');
      assert.deepEqual(waits, ['quota', 60_000]);
    }
    const hourly = await refused('Hourly', 429, 'Sat, 21 Nov 2026 00:01:30 GMT');
    assert.deepEqual(hourly, ['quota', 3_510_000]);
  });

  it('fails as unavailable if the API key is rejected', async () => {
    for (const [body, status] of [
      ['The supplied API key is invalid.', 400],
      ['API key required. Please add &apikey= to the URL.', 401],
    ] as const) {
      assert.deepEqual(await refused(body, status), ['unavailable', undefined]);
    }
  });

  it('does not cover a point for which it has no model', async () => {
    const reason = 'No data is available for this location';
    assert.deepEqual(await refused(reason, 400), ['not_covered', undefined]);
  });

  const NOW = '2026-11-21T10:45';
  const MEASURED = {
    ...{ time: NOW, temperature_2m: 8.44, relative_humidity_2m: 86.5, wind_speed_10m: 11.25 },
    weather_code: 17,
  };
  const respond = (values: object) => {
    const body = JSON.stringify({ current: { ...MEASURED, ...values } });
    const headers = { date: new Date(`${NOW}Z`).toUTCString() };
    stub.behave(PATHS.openMeteo, { kind: 'status', status: 200, body, headers });
  };

  it('rounds its values, and has the condition Unknown for an unknown weather code', async () => {
    respond({});
    const presentAt = Date.parse(`${NOW}Z`);
    const absent = {
      ...{ feels_like: null, pressure: null, cloud_cover: null, precipitation: null },
      ...{ wind_direction: null, wind_gusts: null, visibility: null, uv_index: null },
    };
    const rounded = {
      ...{ temperature: 8.4, humidity: 87, wind_speed: 11.3, weather_code: null },
      ...{ ...absent, dew_point: 6.3, time: presentAt },
    };
    assert.deepEqual(await ask(), { value: rounded, presentAt });
  });

  it('has the mean precipitation of the interval that it reports, in millimeters per hour', async () => {
    const rates = [];
    for (const interval of [900, 3600, 60, 10_800, 59, 10_801, 0, -900, null, undefined]) {
      respond({ precipitation: 0.1, interval });
      rates.push((await ask()).value.precipitation);
    }
    assert.deepEqual(rates, [0.4, 0.1, 6, 0.03, null, null, null, null, null, null]);
    respond({ precipitation: 0.1, interval: '900' });
    await assert.rejects(ask(), { kind: 'bad_answer' });
  });

  it('has a dew point only of a plausible humidity', async () => {
    const dewPoints = [];
    for (const relative_humidity_2m of [50, 100, 104, 0]) {
      respond({ temperature_2m: 20, relative_humidity_2m });
      dewPoints.push((await ask()).value.dew_point);
    }
    assert.deepEqual(dewPoints, [9.3, 20, 20, null]);
  });

  it('is one call of the quota for each ability, and 1.2 calls with more conditions', async () => {
    const { signal } = new AbortController();
    for (const moreConditions of [false, true]) {
      const provider = createOpenMeteo({ client, baseUrl: stub.url, moreConditions });
      const { value } = await provider.current!({ latitude: 1, longitude: 2 }, signal);
      const { visibility, uv } = stubWeather(1, 2);
      const expected = moreConditions ? [visibility, uv] : [null, null];
      assert.deepEqual([value.visibility, value.uv_index], expected);
      await provider.daily!({ latitude: 1, longitude: 2 }, signal);
      await provider.hourly!({ latitude: 1, longitude: 2 }, signal);
    }
    const costs = stub.calls.map(({ query }) => openMeteoCost(query));
    assert.deepEqual(costs, [1, 1, 1, 1.2, 1, 1]);
  });

  it('reads its time in UTC', async () => {
    respond({ time: '2026-11-21T07:45' });
    assert.equal((await ask()).value.temperature, 8.4);
    for (const time of ['2026-11-21T07:44', '2026-11-21T11:46', 'now', null, undefined]) {
      respond({ time });
      await assert.rejects(ask(), { kind: 'no_data' }, time ?? 'none');
    }
    respond({ time: 1 });
    await assert.rejects(ask(), { kind: 'bad_answer' });
  });
});
