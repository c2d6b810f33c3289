/** The public hosts of the providers: their terms count the calls of a whole deployment there. */
export const PUBLIC_HOSTS = {
  openMeteo: 'https://api.open-meteo.com',
  openMeteoGeocoding: 'https://geocoding-api.open-meteo.com',
  metNorway: 'https://api.met.no',
  openWeatherMap: 'https://api.openweathermap.org',
  weatherGov: 'https://api.weather.gov',
} as const;

/** The name of a URL's host, in the one spelling that can be compared: `API.met.no.` is `api.met.no`. */
const hostOf = (url: string) => new URL(url).hostname.replace(/\.$/, '');

const HOSTS = new Set(Object.values(PUBLIC_HOSTS).map(hostOf));

/**
 * Whether a base URL leads to a public host. Its terms hold whatever the scheme and the port: in clear
 * text, too, the calls count there.
 */
export function isPublicHost(url: string): boolean {
  return HOSTS.has(hostOf(url));
}
