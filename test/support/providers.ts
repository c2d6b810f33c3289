import { loadConfig, type Config } from '../../src/config/config.js';
import {
  keyVariable,
  PROVIDERS,
  REMOTE_PROVIDER_NAMES,
  UPSTREAMS,
  urlVariable,
  type RemoteProviderName,
} from '../../src/config/providers.js';
import { createProviders } from '../../src/providers/index.js';
import type { UpstreamClient } from '../../src/upstream/upstream-client.js';
import type { WeatherProvider } from '../../src/upstream/weather-provider.js';
import type { Clock } from '../../src/weather/types.js';
import { fixedClock } from './test-time.js';

/** The API key of every provider that takes one. */
export const SECRET_KEY = 'top-secret-key';

/** The variables with the API keys. */
export const API_KEYS: Record<string, string> = Object.fromEntries(
  PROVIDERS.flatMap(([name, { apiKey }]) => (apiKey ? [[keyVariable(name), SECRET_KEY]] : [])),
);

/** The variables with which every service is called at one base URL. */
export const allProvidersAt = (url: string): Record<string, string> => ({
  WEATHER_PROVIDERS: REMOTE_PROVIDER_NAMES.join(),
  ...API_KEYS,
  ...Object.fromEntries(UPSTREAMS.map(([name]) => [urlVariable(name), url])),
});

/** The configuration with every service at one base URL. @param env replaces variables */
export const configAt = (url: string, env: Record<string, string> = {}): Config =>
  loadConfig({ ...allProvidersAt(url), ...env });

/** The providers that call one base URL. */
export function providersAt(
  client: UpstreamClient,
  url: string,
  { clock = fixedClock, env = {} }: { clock?: Clock; env?: Record<string, string> } = {},
): WeatherProvider[] {
  const config = configAt(url, env);
  return createProviders({ config, client, clock, log: { warn: () => undefined } });
}

/** A provider that calls a stub provider. */
export function providerAt(
  name: RemoteProviderName,
  { client, stub }: { client: UpstreamClient; stub: { url: string } },
  more?: Parameters<typeof providersAt>[2],
): WeatherProvider {
  return providersAt(client, stub.url, more).find((provider) => provider.name === name)!;
}
