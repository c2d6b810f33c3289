import type { Config, ProviderName } from '../config/config.js';
import type { UpstreamClient } from '../upstream/client.js';
import type { Clock, WeatherProvider } from '../weather/types.js';
import { createDemo } from './demo.js';
import { createMetNorway } from './met-norway/forecast.js';
import { createOpenMeteo } from './open-meteo/forecast.js';
import { createOpenWeatherMap } from './openweathermap/current.js';
import type { AnswerStore } from './answers.js';

export interface ChainOptions {
  settings: Config['upstream'];
  client: UpstreamClient;
  answers: AnswerStore;
  clock: Clock;
}

/** The configured providers, in the order in which they are asked. */
export function createProviderChain(options: ChainOptions): WeatherProvider[] {
  return options.settings.providers.map((name) => createProvider(name, options));
}

function createProvider(name: ProviderName, options: ChainOptions): WeatherProvider {
  const { settings, client, answers, clock } = options;
  switch (name) {
    case 'open-meteo':
      return createOpenMeteo({
        client,
        baseUrl: settings.openMeteoUrl,
        apiKey: settings.openMeteoApiKey,
      });
    case 'met-norway':
      return createMetNorway({ client, baseUrl: settings.metNorwayUrl, answers, clock });
    case 'openweathermap':
      return createOpenWeatherMap({
        client,
        baseUrl: settings.openWeatherMapUrl,
        apiKey: settings.openWeatherMapApiKey ?? '',
      });
    case 'demo':
      return createDemo(clock);
  }
}
