/** The public hosts of the providers: their terms count the calls of a whole deployment there. */
export const PUBLIC_HOSTS = {
  openMeteo: 'https://api.open-meteo.com',
  openMeteoGeocoding: 'https://geocoding-api.open-meteo.com',
  metNorway: 'https://api.met.no',
  openWeatherMap: 'https://api.openweathermap.org',
  weatherGov: 'https://api.weather.gov',
} as const;
