import type { Config } from '../config/config.js';
import { GEOCODER_NAME, type ProviderName } from '../config/providers.js';
import type { UpstreamClient } from '../upstream/upstream-client.js';
import type { CallPolicy } from '../upstream/policy.js';
import type { WeatherProvider } from '../upstream/weather-provider.js';
import type { Geocoder } from './open-meteo/geocoder.js';
import type { Clock } from '../weather/types.js';
import { createDemo } from './demo.js';
import { createMetNorway } from './met-norway/met-norway.js';
import { createOpenMeteo } from './open-meteo/open-meteo.js';
import { createOpenMeteoGeocoder } from './open-meteo/geocoder.js';
import { createOpenWeatherMap } from './openweathermap/openweathermap.js';
import { createWeatherGov } from './weather-gov/weather-gov.js';

export interface ProviderOptions {
  settings: Config['upstream'];
  client: UpstreamClient;
  clock: Clock;
  /** Called when a provider announces that its service will change or end. */
  onDeprecated: (provider: string) => void;
  /** Called each time the `demo` provider invents weather. */
  onInvented: () => void;
}

/** The factory function of each provider. */
const CREATE: Record<ProviderName, (options: ProviderOptions) => WeatherProvider> = {
  'open-meteo': ({ settings: { urls, apiKeys, openMeteoMoreConditions }, client }) =>
    createOpenMeteo({
      client,
      baseUrl: urls['open-meteo'],
      apiKey: apiKeys['open-meteo'],
      moreConditions: openMeteoMoreConditions,
    }),
  'met-norway': ({ settings: { urls }, client, onDeprecated }) =>
    createMetNorway({ client, baseUrl: urls['met-norway'], onDeprecated }),
  openweathermap: ({ settings: { urls, apiKeys }, client }) =>
    createOpenWeatherMap({
      client,
      baseUrl: urls.openweathermap,
      apiKey: apiKeys.openweathermap ?? '',
    }),
  'weather-gov': ({ settings: { urls }, client, clock }) =>
    createWeatherGov({ client, baseUrl: urls['weather-gov'], clock }),
  demo: ({ clock, onInvented }) => createDemo(clock, onInvented),
};

/** The configured providers, in their order. */
export function createProviders(options: ProviderOptions): WeatherProvider[] {
  return options.settings.providers.map((name) => CREATE[name](options));
}

/** The remote geocoder. It has the same API key as the weather of Open-Meteo. */
export function createGeocoder(options: {
  settings: Config['upstream'];
  client: UpstreamClient;
  policy: CallPolicy;
}): Geocoder {
  const { settings, client, policy } = options;
  return createOpenMeteoGeocoder({
    client,
    baseUrl: settings.urls[GEOCODER_NAME],
    apiKey: settings.apiKeys['open-meteo'],
    policy,
  });
}
