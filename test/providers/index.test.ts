import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadConfig } from '../../src/config/config.js';
import { createGeocoder, createProviders } from '../../src/providers/index.js';
import type { PolicyCall } from '../../src/upstream/policy.js';
import { systemClock } from '../support/manual-clock.js';
import { PATHS } from '../support/stub-provider.js';
import { useStubProvider } from '../support/use-stub-provider.js';

describe('the configured providers', { timeout: 60_000 }, () => {
  const { signal } = new AbortController();
  const fixture = useStubProvider();
  const { client } = fixture;

  const settings = (env: Record<string, string>) =>
    loadConfig({
      OPEN_METEO_URL: fixture.stub.url,
      OPEN_METEO_GEOCODING_URL: fixture.stub.url,
      ...env,
    }).upstream;
  const build = (env: Record<string, string>) =>
    createProviders({
      settings: settings(env),
      client,
      clock: systemClock,
      onDeprecated: () => undefined,
      onInvented: () => undefined,
    });

  it('have the order of the setting', () => {
    const names = ['met-norway', 'demo', 'openweathermap', 'open-meteo'];
    const env = { WEATHER_PROVIDERS: names.join(','), OPENWEATHERMAP_API_KEY: 'k' };
    assert.deepEqual(
      build(env).map(({ name }) => name),
      names,
    );
  });

  it('send the API key of Open-Meteo to its weather service and to its geocoder', async () => {
    const env = { WEATHER_PROVIDERS: 'open-meteo', OPEN_METEO_API_KEY: 'a key' };
    const policy = <T>({ call }: PolicyCall<T>) => call();
    await build(env)[0]!.current!({ latitude: 1, longitude: 2 }, signal);
    await createGeocoder({ settings: settings(env), client, policy }).search('London', 'GB', {
      signal,
    });
    assert.deepEqual(
      fixture.stub.calls.map(({ path, query }) => [path, query['apikey']]),
      [
        [PATHS.openMeteo, 'a key'],
        [PATHS.geocoding, 'a key'],
      ],
    );
  });
});
