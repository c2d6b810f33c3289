import type { Config, ProviderName } from '../config/config.js';
import type { UpstreamClient } from '../upstream/client.js';
import type { Guard } from '../upstream/guard.js';
import type { Clock, Geocoder, WeatherProvider } from '../weather/types.js';
import type { AnswerStore } from './answers.js';
import { createDemo } from './demo.js';
import { createMetNorway } from './met-norway/forecast.js';
import { createOpenMeteo } from './open-meteo/forecast.js';
import { createOpenMeteoGeocoder } from './open-meteo/geocoder.js';
import { createOpenWeatherMap } from './openweathermap/current.js';
import { createWeatherGov } from './weather-gov/observation.js';

export interface ProviderOptions {
  settings: Config['upstream'];
  client: UpstreamClient;
  answers: AnswerStore;
  clock: Clock;
  /** Told when a provider says that its service will change or end. */
  onDeprecated: (provider: string) => void;
  /** Told each time when weather is invented. */
  onInvented: () => void;
}

/** The configured providers, in the order in which they are asked. */
export function createProviders(options: ProviderOptions): WeatherProvider[] {
  return options.settings.providers.map((name) => createProvider(name, options));
}

/** The remote geocoder. It gets the same customer's key as the forecast. */
export function createGeocoder(options: {
  settings: Config['upstream'];
  client: UpstreamClient;
  guard: Guard;
}): Geocoder {
  const { settings, client, guard } = options;
  return createOpenMeteoGeocoder({
    client,
    baseUrl: settings.openMeteoGeocodingUrl,
    apiKey: settings.openMeteoApiKey,
    guard,
  });
}

function createProvider(name: ProviderName, options: ProviderOptions): WeatherProvider {
  const { settings, client, answers, clock, onDeprecated, onInvented } = options;
  switch (name) {
    case 'open-meteo':
      return createOpenMeteo({
        client,
        baseUrl: settings.openMeteoUrl,
        apiKey: settings.openMeteoApiKey,
      });
    case 'met-norway':
      return createMetNorway({
        client,
        baseUrl: settings.metNorwayUrl,
        answers,
        clock,
        onDeprecated,
      });
    case 'openweathermap':
      return createOpenWeatherMap({
        client,
        baseUrl: settings.openWeatherMapUrl,
        apiKey: settings.openWeatherMapApiKey ?? '',
      });
    case 'weather-gov':
      return createWeatherGov({ client, baseUrl: settings.weatherGovUrl, clock });
    case 'demo':
      return createDemo(clock, onInvented);
  }
}
