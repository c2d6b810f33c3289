import type { ProviderName } from '../config/providers.js';
import type { WeatherProvider } from '../upstream/weather-provider.js';
import { createDemo } from './demo.js';
import { createMetNorway } from './met-norway/met-norway.js';
import { createOpenMeteo } from './open-meteo/open-meteo.js';
import { createOpenWeatherMap } from './openweathermap/openweathermap.js';
import type { ProviderOptions } from './provider-options.js';
import { createWeatherGov } from './weather-gov/weather-gov.js';

const CREATE: Record<ProviderName, (options: ProviderOptions) => WeatherProvider> = {
  'open-meteo': createOpenMeteo,
  'met-norway': createMetNorway,
  openweathermap: createOpenWeatherMap,
  'weather-gov': createWeatherGov,
  demo: createDemo,
};

/** The configured providers, in their order. */
export function createProviders(options: ProviderOptions): WeatherProvider[] {
  return options.config.providers.map((name) => CREATE[name](options));
}
