import type { AbilityName } from '../weather/kinds/kinds.js';

/** The facts about each weather provider. No other file repeats these values. */

export interface Credit {
  text: string;
  /** Null for invented data. */
  url: string | null;
}

interface Provider {
  /** The name in documents. */
  title: string;
  /** Base URL of the public host: the default of `…_URL`. */
  host: string;
  /** Base URL for calls with an API key, if these calls go to another host. */
  customerHost?: string;
  /** Whether the provider takes an API key in `…_API_KEY`, and responds without one. */
  apiKey?: 'optional' | 'required';
  /** Calls that the public host allows one deployment: `calls/seconds,…`. */
  budget?: string;
  /** Whether the default of `WEATHER_PROVIDERS` names the provider. */
  isDefault: boolean;
  coverage?: string;
  /** Text and link that the license requires next to the data, and the license. ASCII. */
  attribution: Credit & { license?: string };
  /** A condition of use that an operator must know: for the README. */
  terms?: string;
}

/**
 * The providers that are called over the network. Sources of budgets and credits:
 * https://open-meteo.com/en/terms, https://open-meteo.com/en/license,
 * https://api.met.no/doc/TermsOfService, https://api.met.no/doc/License,
 * https://openweathermap.org/price, https://openweathermap.org/terms,
 * https://www.weather.gov/disclaimer (public domain; credit is requested),
 * https://aviationweather.gov/data/api/ (100 calls a minute).
 */
const TABLE = {
  'open-meteo': {
    title: 'Open-Meteo',
    host: 'https://api.open-meteo.com',
    // The public host redirects calls that carry a key, and redirects are not followed.
    customerHost: 'https://customer-api.open-meteo.com',
    apiKey: 'optional',
    budget: '600/60,5000/3600,10000/86400',
    isDefault: true,
    attribution: {
      text: 'Weather data by Open-Meteo.com',
      url: 'https://open-meteo.com/',
      license: 'CC BY 4.0',
    },
    terms: 'the free host is for non-commercial use',
  },
  'met-norway': {
    title: 'MET Norway',
    host: 'https://api.met.no',
    budget: '20/1',
    isDefault: true,
    attribution: {
      text: 'Data from MET Norway',
      url: 'https://api.met.no/',
      license: 'CC BY 4.0',
    },
  },
  openweathermap: {
    title: 'OpenWeatherMap',
    host: 'https://api.openweathermap.org',
    apiKey: 'required',
    budget: '60/60',
    isDefault: false,
    attribution: {
      text: 'Weather data provided by OpenWeather',
      url: 'https://openweathermap.org/',
      license: 'CC BY-SA 4.0',
    },
    terms: 'pass the data on under the same license',
  },
  'weather-gov': {
    title: 'api.weather.gov',
    host: 'https://api.weather.gov',
    isDefault: false,
    coverage: 'United States only',
    attribution: {
      text: 'Data from the US National Weather Service',
      url: 'https://www.weather.gov/',
    },
    terms: 'public domain',
  },
  'aviation-weather': {
    title: 'aviationweather.gov',
    host: 'https://aviationweather.gov',
    budget: '90/60',
    isDefault: false,
    coverage: 'measured current weather near airports, world-wide',
    attribution: {
      text: 'METAR data from the NOAA Aviation Weather Center',
      url: 'https://aviationweather.gov/',
    },
    terms: 'public domain',
  },
} satisfies Record<string, Provider>;

export type RemoteProviderName = keyof typeof TABLE;
export type ProviderName = RemoteProviderName | 'demo';

export const PROVIDERS = Object.entries(TABLE) as [RemoteProviderName, Provider][];
export const REMOTE_PROVIDER_NAMES = PROVIDERS.map(([name]) => name);

/** The name of the remote geocoder in logs, metrics, and circuit breakers. */
export const GEOCODER_NAME = 'open-meteo-geocoding';

/** A service with a host. It has its own circuit breaker and concurrency limit. */
interface Upstream extends Pick<Provider, 'title' | 'host' | 'customerHost' | 'budget'> {
  /** The provider whose API key and budget apply to the calls. */
  account: RemoteProviderName;
  /** The abilities for which the provider calls this service instead of its main host. */
  abilities?: readonly AbilityName[];
  /** The credit for these abilities. Absent: that of the provider. */
  attribution?: Provider['attribution'];
  terms?: string;
}

const MORE_UPSTREAMS = {
  [GEOCODER_NAME]: {
    title: "Open-Meteo's geocoding service",
    host: 'https://geocoding-api.open-meteo.com',
    customerHost: 'https://customer-geocoding-api.open-meteo.com',
    account: 'open-meteo',
    budget: TABLE['open-meteo'].budget,
  },
  'open-meteo-air-quality': {
    title: "Open-Meteo's service for air quality and pollen",
    host: 'https://air-quality-api.open-meteo.com',
    customerHost: 'https://customer-air-quality-api.open-meteo.com',
    account: 'open-meteo',
    abilities: ['air', 'pollen'],
    budget: TABLE['open-meteo'].budget,
    // https://open-meteo.com/en/docs/air-quality-api
    attribution: {
      text: 'Air quality data by Open-Meteo.com and CAMS ENSEMBLE data provider',
      url: 'https://open-meteo.com/en/docs/air-quality-api',
      license: 'CC BY 4.0',
    },
    terms:
      'contains modified information of the Copernicus Atmosphere Monitoring Service, for whose use neither the European Commission nor ECMWF is responsible',
  },
} satisfies Record<string, Upstream>;

/** A service that has its own base URL: a provider, or another service of a provider. */
export type UpstreamName = RemoteProviderName | keyof typeof MORE_UPSTREAMS;

/** Every service with a base URL. Open-Meteo counts the calls to all of its services together. */
export const UPSTREAMS: [UpstreamName, Upstream][] = [
  ...PROVIDERS.map(([name, provider]): [UpstreamName, Upstream] => [
    name,
    { ...provider, account: name },
  ]),
  ...(Object.entries(MORE_UPSTREAMS) as [UpstreamName, Upstream][]),
];

/** The service that a provider calls for an ability. */
export function upstreamFor(provider: string, ability: AbilityName, upstreams = UPSTREAMS): string {
  const other = upstreams.find(
    ([, { account, abilities }]) => account === provider && abilities?.includes(ability),
  );
  return other?.[0] ?? provider;
}

const ATTRIBUTIONS: ReadonlyMap<string, Provider['attribution'] | undefined> = new Map([
  ...UPSTREAMS.map(([name, { attribution }]) => [name as string, attribution] as const),
  ['demo', { text: 'Invented weather for development: not real data', url: null }],
]);

const attributionFor = (provider: string, ability: AbilityName) =>
  ATTRIBUTIONS.get(upstreamFor(provider, ability)) ?? ATTRIBUTIONS.get(provider);

const joinDefined = (...parts: (string | undefined)[]) =>
  parts.filter((part) => part !== undefined).join(', ');

/** The credit for an ability of a provider, as one line; undefined for an unknown name. */
export function attributionOf(provider: string, ability: AbilityName): string | undefined {
  const credit = attributionFor(provider, ability);
  if (!credit) return undefined;
  const { text, url, license } = credit;
  return joinDefined(url === null ? text : `${text} <${url}>`, license);
}

/** Text and link of the credit for an ability of a provider; null for an unknown name. */
export function creditOf(provider: string, ability: AbilityName): Credit | null {
  const credit = attributionFor(provider, ability);
  return credit ? { text: joinDefined(credit.text, credit.license), url: credit.url } : null;
}

/** The variable that holds a base URL, such as `MET_NORWAY_URL`. */
export const urlVariable = (upstream: UpstreamName): string => `${upperCase(upstream)}_URL`;

/** The variable that holds an API key, such as `OPENWEATHERMAP_API_KEY`. */
export const keyVariable = (provider: RemoteProviderName): string =>
  `${upperCase(provider)}_API_KEY`;

const upperCase = (name: string) => name.toUpperCase().replaceAll('-', '_');

/** The host of a URL in one spelling: `API.met.no.` is `api.met.no`. */
const hostOf = (url: string) => new URL(url).hostname.replace(/\.$/, '');

const PUBLIC_HOSTS = new Set(UPSTREAMS.map(([, { host }]) => hostOf(host)));

/** Returns whether a base URL leads to a public host. Scheme and port do not matter. */
export function isPublicHost(url: string): boolean {
  return PUBLIC_HOSTS.has(hostOf(url));
}
