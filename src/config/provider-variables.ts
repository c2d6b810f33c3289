import {
  keyVariable,
  PROVIDERS,
  UPSTREAMS,
  urlVariable,
  type ServiceName,
  type UpstreamName,
} from './providers.js';
import * as is from './rules.js';
import { variable, type Variable } from './variable.js';

/** Variables, defaults, and texts that are derived from the table of providers. */

/** The default of `WEATHER_PROVIDERS` in production. */
export const DEFAULT_CHAIN = PROVIDERS.filter(([, { isDefault }]) => isDefault)
  .map(([name]) => name)
  .join();

/** The providers that are not in the default of `WEATHER_PROVIDERS`, in Markdown. */
export const OTHER_PROVIDERS = PROVIDERS.filter(([, { isDefault }]) => !isDefault)
  .map(([name, { apiKey, coverage }]) => {
    const notes = [apiKey === 'required' && 'needs a key', coverage].filter(Boolean);
    return notes.length > 0 ? `\`${name}\` (${notes.join(', ')})` : `\`${name}\``;
  })
  .join(', ');

/** The budgets of the public hosts, in the format of `PROVIDER_BUDGETS`. */
export const DEFAULT_BUDGETS = PROVIDERS.flatMap(([name, { budget }]) =>
  budget === undefined ? [] : [`${name}=${budget}`],
).join(';');

/** The base URL of each provider and of the geocoder. */
export const URLS = Object.fromEntries(
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
export const API_KEYS = Object.fromEntries(
  PROVIDERS.filter(([, { apiKey }]) => apiKey !== undefined).map(
    ([name, { title, customerHost }]) => [
      name,
      variable(keyVariable(name), is.text, {
        meaning: `API key of ${title}${customerHost === undefined ? '' : ', for its paid hosts'}`,
      }),
    ],
  ),
) as Record<ServiceName, Variable<string | undefined>>;
