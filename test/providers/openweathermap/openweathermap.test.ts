import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { UpstreamError } from '../../../src/errors.js';
import { createOpenWeatherMap } from '../../../src/providers/openweathermap/openweathermap.js';
import { PATHS } from '../../support/stub-provider.js';
import { useStubProvider } from '../../support/use-stub-provider.js';

describe('OpenWeatherMap', { timeout: 60_000 }, () => {
  const fixture = useStubProvider();

  const ask = () =>
    createOpenWeatherMap({
      client: fixture.client,
      baseUrl: fixture.stub.url,
      apiKey: 'secret',
    }).current!({ latitude: 1, longitude: 2 }, new AbortController().signal);
  const answer = (status: number, value: unknown) => {
    const body = JSON.stringify(value);
    fixture.stub.behave(PATHS.openWeatherMap, { kind: 'status', status, body });
  };
  const sky = (id: number, cod: number | string = 200) => ({
    cod,
    weather: [{ id }, { id: 800 }],
    main: { temp: -0.04, humidity: 38 },
    wind: { speed: 1.34 },
  });

  it('converts meters per second to km/h, and minus zero to zero', async () => {
    answer(200, sky(804));
    const expected = { temperature: 0, condition: 'Overcast', humidity: 38, wind_speed: 4.8 };
    assert.deepEqual((await ask()).value, expected);
  });

  it('has the words of the WMO codes for each condition', async () => {
    const kinds: [number, string][] = [
      [211, 'Thunderstorm'],
      [300, 'Light drizzle'],
      [500, 'Slight rain'],
      [511, 'Light freezing rain'],
      [522, 'Violent rain showers'],
      [601, 'Moderate snow fall'],
      [622, 'Heavy snow showers'],
      [701, 'Fog'],
      [800, 'Clear sky'],
      [801, 'Mainly clear'],
      [802, 'Partly cloudy'],
      [803, 'Overcast'],
      [999, 'Unknown'],
    ];
    for (const [id, text] of kinds) {
      answer(200, sky(id));
      assert.equal((await ask()).value.condition, text, String(id));
    }
  });

  it('rejects too many conditions at once', async () => {
    answer(200, { ...sky(800), weather: Array.from({ length: 21 }, () => ({ id: 800 })) });
    await assert.rejects(ask(), { kind: 'bad_answer', message: /more than 20/ });
  });

  it('fails as unavailable if the API key is rejected, and does not reveal the key', async () => {
    answer(401, { cod: 401, message: 'Invalid API key: secret' });
    const error: unknown = await ask().catch((caught: unknown) => caught);
    assert.ok(error instanceof UpstreamError);
    assert.deepEqual([error.kind, error.retryAfterMs], ['unavailable', undefined]);
    assert.ok(!error.message.includes('secret'));
  });
});
