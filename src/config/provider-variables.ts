import Joi from 'joi';
import { SERVICE_NAME, SERVICE_VERSION } from '../base/version.js';
import {
  isPublicHost,
  keyVariable,
  PROVIDERS,
  REMOTE_PROVIDER_NAMES,
  UPSTREAMS,
  urlVariable,
  type ProviderName,
} from './providers.js';
import { file } from './file-rules.js';
import * as is from './rules.js';

/** Variables, defaults, and texts that are derived from the table of providers. */

const DEFAULT_CHAIN: ProviderName[] = PROVIDERS.filter(([, { isDefault }]) => isDefault).map(
  ([name]) => name,
);

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

/** The base URL of each provider and of the geocoder. An API key can lead to another host. */
const URLS = UPSTREAMS.map(([name, { title, host, customerHost, account }]) => {
  const schema = is.baseUrl.default(host).description(`base URL of ${title}, without a path`);
  if (customerHost === undefined) return [urlVariable(name), schema];
  const withKey = { is: Joi.exist(), then: Joi.string().default(customerHost) };
  return [urlVariable(name), schema.when(keyVariable(account), withKey)];
});

const API_KEYS = PROVIDERS.flatMap(([name, { title, apiKey, customerHost }]) => {
  if (apiKey === undefined) return [];
  const hosts = customerHost === undefined ? '' : ', for its paid hosts';
  const schema = is.text.description(`API key of ${title}${hosts}`);
  if (apiKey === 'optional') return [[keyVariable(name), schema]];
  const required = schema
    .when('WEATHER_PROVIDERS', { is: Joi.array().has(name).required(), then: Joi.required() })
    .messages({ 'any.required': `is required if WEATHER_PROVIDERS contains ${name}` });
  return [[keyVariable(name), required]];
});

/** The API keys that can be in a file. */
export const KEYS_IN_FILES = API_KEYS.map(([name]) => name as string);
const KEY_FILES = KEYS_IN_FILES.map((name) => [
  `${name}_FILE`,
  is.optional(file).description(`file with the key, instead of \`${name}\``),
]);

/** The default of `UPSTREAM_USER_AGENT`. It has no contact of the operator. */
export const DEFAULT_USER_AGENT = `${SERVICE_NAME}/${SERVICE_VERSION}`;

const publicHost = Joi.string().custom((url: string) => {
  if (!isPublicHost(url)) throw new Error('is no public host');
});
/** MET Norway requires a contact, so in production it cannot be the only provider without one. */
const contactForMetNorway = Joi.when('NODE_ENV', {
  is: 'production',
  then: Joi.when('MET_NORWAY_URL', {
    is: publicHost,
    then: Joi.invalid(DEFAULT_USER_AGENT).required(),
  }),
});
const NO_CONTACT = 'is required if met-norway is the only provider: its terms require a contact';

const providerName = is.oneOf(...REMOTE_PROVIDER_NAMES, 'demo').when('$NODE_ENV', {
  is: 'production',
  then: Joi.valid(Joi.override, ...REMOTE_PROVIDER_NAMES).messages({
    'any.only': 'must contain only {#valids} in production: the weather of demo is invented',
  }),
});

export const UPSTREAM = {
  WEATHER_PROVIDERS: is
    .list<ProviderName>(providerName)
    .when('NODE_ENV', {
      is: 'production',
      then: Joi.any().default(DEFAULT_CHAIN),
      otherwise: Joi.any().default([...DEFAULT_CHAIN, 'demo']),
    })
    .description(`providers in the order in which they are tried. Others: ${OTHER_PROVIDERS}`),
  // Their names are not in the type, so that they cannot be mistaken for names that always exist.
  ...(Object.fromEntries([...URLS, ...API_KEYS, ...KEY_FILES]) as object),
  PROVIDER_BUDGETS: is
    .optional(is.budgets(...REMOTE_PROVIDER_NAMES).empty('default'))
    .example(DEFAULT_BUDGETS)
    .note(`\`${DEFAULT_BUDGETS}\`, for the public hosts`)
    .description(
      '`calls/seconds` that all processes together may make to each provider, in sliding windows; up to twice as many around an outage of Redis. Empty: no limit. `default`: as if it were not set. The defaults apply only to the public hosts, without an API key of Open-Meteo',
    ),
  UPSTREAM_USER_AGENT: is.text
    .pattern(/^[\x20-\x7e]+$/, 'must be printable ASCII')
    .default(DEFAULT_USER_AGENT)
    .when('WEATHER_PROVIDERS', {
      is: Joi.array().ordered('met-norway').length(1).required(),
      then: contactForMetNorway,
    })
    .messages({ 'any.required': NO_CONTACT, 'any.invalid': NO_CONTACT })
    .example('my-weather/1.0 ops@example.com')
    .note('name and version')
    .description(
      'identifies you to the providers; it should contain a contact address. Without one, MET Norway is not called in production',
    ),
  UPSTREAM_TIMEOUT_MS: is.milliseconds
    .default(10_000)
    .description('time limit of one call to a provider'),
  UPSTREAM_CONCURRENCY: is
    .count(1, 1000)
    .default(4)
    .description('concurrency limit: calls in flight to each provider, per process'),
};
