import type { Config } from './config.js';

/** What never leaves the machine: a proxy beside the service that adds TLS. */
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** The variables by which an API key would cross a network without TLS. */
export function keysInClear(upstream: Config['upstream']): string[] {
  const { openMeteoApiKey, openWeatherMapApiKey } = upstream;
  const asked: [variable: string, url: string, key: string | undefined][] = [
    ['OPEN_METEO_URL', upstream.openMeteoUrl, openMeteoApiKey],
    ['OPEN_METEO_GEOCODING_URL', upstream.openMeteoGeocodingUrl, openMeteoApiKey],
    ['OPENWEATHERMAP_URL', upstream.openWeatherMapUrl, openWeatherMapApiKey],
  ];
  return asked.filter(([, url, key]) => key !== undefined && isInClear(url)).map(([name]) => name);
}

function isInClear(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !LOOPBACK.test(hostname);
}
