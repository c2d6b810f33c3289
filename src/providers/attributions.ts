import type { ProviderName } from '../config/config.js';

/**
 * What each provider's licence demands next to its data: text and link, as the header
 * `X-Weather-Attribution` gives it. Sources: https://open-meteo.com/en/license,
 * https://api.met.no/doc/License, https://openweathermap.org/terms,
 * https://www.weather.gov/disclaimer (public domain; credit is asked for).
 */
export const ATTRIBUTIONS: Readonly<Record<ProviderName, string>> = {
  'open-meteo': 'Weather data by Open-Meteo.com <https://open-meteo.com/>, CC BY 4.0',
  'met-norway': 'Data from MET Norway <https://api.met.no/>, CC BY 4.0',
  openweathermap:
    'Weather data provided by OpenWeather <https://openweathermap.org/>, CC BY-SA 4.0',
  'weather-gov': 'Data from the US National Weather Service <https://www.weather.gov/>',
  demo: 'Invented weather for development: not real data',
};

/** The credit for what a provider gave; undefined for a name that this version does not know. */
export function attributionOf(provider: string): string | undefined {
  return Object.hasOwn(ATTRIBUTIONS, provider) ? ATTRIBUTIONS[provider as ProviderName] : undefined;
}
