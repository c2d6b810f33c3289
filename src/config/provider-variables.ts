import { SERVICE_NAME, SERVICE_REPOSITORY, SERVICE_VERSION } from '../base/version.js';
import {
  keyVariable,
  PROVIDERS,
  SERVICE_NAMES,
  UPSTREAMS,
  urlVariable,
  type ProviderName,
  type ServiceName,
  type UpstreamName,
} from './providers.js';
import * as is from './rules.js';
import { variable, type Variable } from './variable.js';

/** Variables, defaults, and texts that are derived from the table of providers. */

/** The default of `WEATHER_PROVIDERS` in production. */
const DEFAULT_CHAIN = PROVIDERS.filter(([, { isDefault }]) => isDefault)
  .map(([name]) => name)
  .join();

/** The providers that are not in the default of `WEATHER_PROVIDERS`, in Markdown. */
const OTHER_PROVIDERS = PROVIDERS.filter(([, { isDefault }]) => !isDefault)
  .map(([name, { apiKey, coverage }]) => {
    const notes = [apiKey === 'required' && 'needs a key', coverage].filter(Boolean);
    return notes.length > 0 ? `\`${name}\` (${notes.join(', ')})` : `\`${name}\``;
  })
  .join(', ');

/** The budgets of the public hosts, in the format of `PROVIDER_BUDGETS`. */
const DEFAULT_BUDGETS = PROVIDERS.flatMap(([name, { budget }]) =>
  budget === undefined ? [] : [`${name}=${budget}`],
).join(';');

/** The base URL of each provider and of the geocoder. */
const URLS = Object.fromEntries(
  UPSTREAMS.map(([name, { title, host, customerHost }]) => [
    name,
    variable(urlVariable(name), is.baseUrl, {
      ...(customerHost === undefined
        ? { default: host }
        : { defaultInWords: "the public host, with a key the customers' host", example: host }),
      meaning: `base URL of ${title}, without a path`,
    }),
  ]),
) as Record<UpstreamName, Variable<string | undefined>>;

/** The API keys. A provider without API keys has no variable, and its setting is always undefined. */
const API_KEYS = Object.fromEntries(
  PROVIDERS.filter(([, { apiKey }]) => apiKey !== undefined).map(
    ([name, { title, customerHost }]) => [
      name,
      variable(keyVariable(name), is.text, {
        meaning: `API key of ${title}${customerHost === undefined ? '' : ', for its paid hosts'}`,
      }),
    ],
  ),
) as Record<ServiceName, Variable<string | undefined>>;

/** The default of `UPSTREAM_USER_AGENT`. It has no contact of the operator. */
export const DEFAULT_USER_AGENT = `${SERVICE_NAME}/${SERVICE_VERSION} ${SERVICE_REPOSITORY}`;

/** The variables for calls to the providers and to the geocoder. */
export const UPSTREAM = {
  providers: variable(
    'WEATHER_PROVIDERS',
    is.list<ProviderName>(is.oneOf(...SERVICE_NAMES, 'demo')),
    {
      default: `${DEFAULT_CHAIN},demo`,
      productionDefault: DEFAULT_CHAIN,
      meaning: `providers in the order in which they are tried. Others: ${OTHER_PROVIDERS}`,
    },
  ),
  urls: URLS,
  apiKeys: API_KEYS,
  openMeteoMoreConditions: variable('OPEN_METEO_MORE_CONDITIONS', is.flag, {
    default: 'false',
    meaning:
      '`true`: conditions from Open-Meteo also have `visibility` and `uv_index`. A call for current weather then counts as 1.2 calls of the quota of Open-Meteo, but as one in `PROVIDER_BUDGETS`',
  }),
  budgets: variable('PROVIDER_BUDGETS', is.budgets(...SERVICE_NAMES), {
    defaultInWords: `\`${DEFAULT_BUDGETS}\`, for the public hosts`,
    example: DEFAULT_BUDGETS,
    whenEmpty: 'none',
    meaning:
      '`calls/seconds` that all processes together may make to each provider, in sliding windows; up to twice as many around an outage of Redis. Empty: no limit. The defaults apply only to the public hosts, without an API key of Open-Meteo',
  }),
  userAgent: variable('UPSTREAM_USER_AGENT', is.headerText, {
    default: DEFAULT_USER_AGENT,
    defaultInWords: 'name, version, repository',
    example: 'my-weather/1.0 ops@example.com',
    meaning:
      'identifies you to the providers; it should contain a contact address. Without one, MET Norway is not called in production',
  }),
  timeoutMs: variable('UPSTREAM_TIMEOUT_MS', is.milliseconds, {
    default: '10000',
    meaning: 'time limit of one call to a provider',
  }),
  concurrency: variable('UPSTREAM_CONCURRENCY', is.count(1, 1000), {
    default: '4',
    meaning: 'concurrency limit: calls in flight to each provider, per process',
  }),
  threads: variable('UV_THREADPOOL_SIZE', is.count(4, 1024), {
    default: '4',
    example: '16',
    meaning:
      'threads of Node.js, which also look up host names. With 4, the names of providers are looked up one after the other; with 16, seven at a time. The image and `npm start` set 16',
  }),
};
