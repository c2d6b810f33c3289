import { PROVIDERS } from '../../src/config/providers.js';
import { SERVICE_REPOSITORY, SERVICE_VERSION } from '../../src/process/version.js';

/** What the API is, under which terms, and how its operations are grouped. */

/** The groups, in the order in which the documentation page lists them. */
export const tags = [
  { name: 'weather', description: 'Current weather by city and country, or by coordinates' },
  { name: 'forecast', description: 'Daily forecast by city and country, or by coordinates' },
  { name: 'searches', description: 'The recent city searches of one session' },
  { name: 'places', description: 'Suggestions while somebody types the name of a city' },
  { name: 'health', description: 'Is the service running, alive, and ready to take requests?' },
];

// One string per paragraph: the documentation page turns line breaks inside a paragraph into breaks.
// The attributions at the end are conditions of the licences of the data: they must stay visible.
const DESCRIPTION = [
  'Current weather and daily forecasts for a city and country or for coordinates, as JSON.',

  '## Start here',

  'No API key is needed. Put the address of this page in place of `http://localhost:8080`:',

  "```\ncurl -i 'http://localhost:8080/api/v1/weather?city=Paris&country=France'\n```",

  [
    '- **Limits.** `RateLimit` says how many requests are left, and after how many seconds there ' +
      'are more. After a 429 wait for as long as `Retry-After` says.',
    '- **Sessions.** A weather answer sets a cookie. Send it back (`curl -c jar -b jar`), and ' +
      '`/api/v1/recent-searches` lists your last ten searches.',
    '- **Credit.** Show the text and link of `X-Weather-Attribution` next to the data: its licence ' +
      'demands it.',
    '- **Clients.** Generate one from [`/openapi.json`](/openapi.json) (OpenAPI 3.1) or ' +
      '[`/apispec.json`](/apispec.json) (OpenAPI 2.0).',
  ].join('\n'),

  '## In detail',

  '**Requests.** `HEAD` works wherever `GET` does. Paths without `v1` are ' +
    'aliases of their `/api/v1` equivalents and behave identically.',

  '**Errors** are JSON objects with exactly two fields, `error` (a short title) and `message` ' +
    '(an explanation). Beyond the responses listed at each operation, an unknown path answers ' +
    '404, a method that a path does not offer 405 with `Allow`. Requests whose head is over ' +
    '16 KiB or takes longer than 15 seconds are cut off with 431 or 408.',

  '**Request ids.** Every response carries `X-Request-ID`. Send your own, up to 64 characters of ' +
    '`A-Z a-z 0-9 . _ -`, and it is kept.',

  '**Limits.** Unless the operator sets others: 30 weather requests per minute per client ' +
    'address, and 200 requests per hour in total, health checks and suggestions not counted. ' +
    'The windows slide. ' +
    'The `X-RateLimit-*` headers describe the limit with the fewest requests left; ' +
    '`RateLimit-Policy` and `RateLimit` list every limit, as the IETF draft has them. After a 429 ' +
    'wait until `X-RateLimit-Reset`, and back off exponentially if you are refused again. ' +
    '`X-RateLimit-Dry-Run` names a limit that would have refused the request, but only counts. ' +
    'Suggestions tell their limit only when it refuses: shared caches may keep their answers.',

  '**Caching.** Current weather is cached for 300 seconds per place, and a daily forecast for 1,800 seconds, ' +
    'however the place is spelt; data from ' +
    'MET Norway until its response expires, if that is later. `X-Cache` tells how an answer came ' +
    'about and `Age` how old its data is. While every weather provider is unavailable, older data ' +
    'may be given, marked `X-Cache: STALE`.',

  '**Sessions.** The first weather request sets a signed, `HttpOnly` cookie; the session ' +
    'remembers its last ten city searches. Cross-origin browser clients must send credentials, ' +
    'and the operator must allow their origin.',

  '**Data sources.** ' +
    `${PROVIDERS.map(([, { credit }]) => credit).join(' · ')} · ` +
    'Places from [GeoNames](https://www.geonames.org/) ' +
    '([CC BY 4.0](https://creativecommons.org/licenses/by/4.0/)) and others: ' +
    '[third-party notices](/apidocs/third-party-notices.txt). ' +
    '`X-Weather-Attribution` names the source of each answer. ' +
    'Values are converted to °C and km/h and rounded.',
].join('\n\n');

/** The `info` object. Its description is CommonMark; the documentation page shows it on top. */
export const info = {
  title: 'Weather lookup service',
  version: SERVICE_VERSION,
  description: DESCRIPTION,
  contact: { name: 'Weather lookup service maintainers', url: SERVICE_REPOSITORY },
  license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
};
