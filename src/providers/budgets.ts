import type { Config, ServiceName } from '../config/config.js';
import { isPublicHost } from '../config/public-hosts.js';
import type { Budgets, CallWindow } from '../upstream/budgets.js';
import { GEOCODER_NAME } from './open-meteo/geocoder.js';

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

/**
 * What the public hosts allow one deployment: https://open-meteo.com/en/terms,
 * https://api.met.no/doc/TermsOfService, https://openweathermap.org/price
 */
const PUBLIC_LIMITS: Partial<Record<ServiceName, CallWindow[]>> = {
  'open-meteo': [
    { limit: 600, windowSeconds: MINUTE },
    { limit: 5000, windowSeconds: HOUR },
    { limit: 10_000, windowSeconds: DAY },
  ],
  'met-norway': [{ limit: 20, windowSeconds: 1 }],
  openweathermap: [{ limit: 60, windowSeconds: MINUTE }],
};

/**
 * The budget of each upstream that is asked and has one. Open-Meteo's terms count the calls to all of its
 * services together, so its forecast and its geocoder share one budget.
 */
export function createBudgets(settings: Config['upstream']): Budgets {
  const { budgets: own, openMeteoApiKey } = settings;
  const isFree = (name: ServiceName) => name !== 'open-meteo' || openMeteoApiKey === undefined;
  const upstreams: [upstream: string, service: ServiceName, url: string][] = [
    ['open-meteo', 'open-meteo', settings.openMeteoUrl],
    [GEOCODER_NAME, 'open-meteo', settings.openMeteoGeocodingUrl],
    ['met-norway', 'met-norway', settings.metNorwayUrl],
    ['openweathermap', 'openweathermap', settings.openWeatherMapUrl],
    ['weather-gov', 'weather-gov', settings.weatherGovUrl],
  ];
  const asked = new Set<string>([...settings.providers, GEOCODER_NAME]);
  return new Map(
    upstreams.flatMap(([upstream, name, url]) => {
      if (!asked.has(upstream)) return [];
      const isPublic = isFree(name) && isPublicHost(url);
      const windows = own ? own.get(name) : isPublic ? PUBLIC_LIMITS[name] : undefined;
      if (!windows) return [];
      return [[upstream, { name, windows }]];
    }),
  );
}
