import type { Config } from '../config/config.js';
import {
  GEOCODER_NAME,
  isPublicHost,
  UPSTREAMS,
  type ProviderName,
  type UpstreamName,
} from '../config/providers.js';
import { callWindows } from '../config/rules.js';
import type { Budget, Budgets } from '../upstream/call-budgets.js';
import type { WeatherProvider } from '../upstream/weather-provider.js';
import { createAviationWeather } from './aviation-weather/aviation-weather.js';
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
  'aviation-weather': createAviationWeather,
  demo: createDemo,
};

/** The configured providers, in their order. */
export function createProviders(options: Omit<ProviderOptions, 'hasBudget'>): WeatherProvider[] {
  const budgets = createBudgets(options.config);
  return options.config.providers.map((name) =>
    CREATE[name]({ ...options, hasBudget: budgets.has(name) }),
  );
}

/** Returns the names of the upstream services that are called. */
export function calledBy({ providers, usesGeocoder }: Config, upstreams = UPSTREAMS): string[] {
  const otherUpstreams = upstreams.filter(([name, { account, abilities }]) =>
    abilities === undefined ? name === GEOCODER_NAME && usesGeocoder : providers.includes(account),
  );
  return [...providers, ...otherUpstreams.map(([name]) => name)];
}

/**
 * Returns the budgets of the upstream services that are called, without those that have none.
 * Services with the same account share one budget. The default budgets apply to calls to the public
 * hosts, and not to the hosts of customers.
 */
export function createBudgets(config: Config, upstreams = UPSTREAMS): Budgets {
  const { urls, apiKeys, PROVIDER_BUDGETS: configured } = config;
  const called = new Set(calledBy(config, upstreams));
  const budgets = new Map<UpstreamName, Budget>();
  for (const [name, { account, customerHost, budget }] of upstreams) {
    if (!called.has(name)) continue;
    const isCustomer = customerHost !== undefined && apiKeys[account] !== undefined;
    const isDefault = budget !== undefined && !isCustomer && isPublicHost(urls[name]);
    const standard = isDefault ? callWindows(budget) : undefined;
    const windows = configured ? configured.get(account) : standard;
    if (windows) budgets.set(name, { name: account, windows });
  }
  return budgets;
}
