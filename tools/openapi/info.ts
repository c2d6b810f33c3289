import { SERVICE_REPOSITORY, SERVICE_VERSION } from '../../src/base/version.js';
import { TTLS, type TtlName } from '../../src/weather/kinds/kinds.js';
import { CREDITS } from './credits.js';

/** The title, the description, and the license of the API, and the groups of its operations. */

/** The groups of operations, in the order of the documentation page. */
export const tags = [
  { name: 'weather', description: 'Current weather by city and country, or by coordinates' },
  {
    name: 'forecast',
    description: 'Daily and hourly forecasts by city and country, or by coordinates',
  },
  { name: 'searches', description: 'The recent city searches of one session' },
  { name: 'places', description: 'Suggestions for the beginning of the name of a city' },
  { name: 'health', description: 'Probes: whether the service runs, is alive, and is ready' },
] as const;

/** The name of a group of operations. */
export type Tag = (typeof tags)[number]['name'];

export const SUMMARY =
  'Current weather and forecasts for a city and country, in most languages, or for coordinates, as JSON.';

/** The sources of the data, whose licenses require this text. Links are relative to `/apidocs/`. */
export const DATA_SOURCES =
  `${CREDITS.map(({ credit }) => credit).join(' · ')} · ` +
  'Places from [GeoNames](https://www.geonames.org/) ' +
  '([CC BY 4.0](https://creativecommons.org/licenses/by/4.0/)) and others: ' +
  '[third-party notices](../apidocs/third-party-notices.txt).';

/** A request to try first. */
const EXAMPLE = '/api/v1/conditions?city=Paris&country=France';
/** The document for authors of clients. */
const CLIENTS = `${SERVICE_REPOSITORY}/blob/main/docs/clients.md`;

// One string per paragraph: the documentation page shows a line break in a paragraph as a break. Short, so that the
// first operation is on the first screen.
const DESCRIPTION = [
  '## Start here',

  `${SUMMARY} No API key is needed: open [${EXAMPLE}](..${EXAMPLE}).`,

  'Limits, errors, sessions, and caching are explained in [llms.txt](../llms.txt), for people and language models. ' +
    `There are [examples](${CLIENTS}) in curl, JavaScript, and Python. ` +
    'Generate a client from [openapi.json](../openapi.json) (OpenAPI 3.1) or [apispec.json](../apispec.json) ' +
    '(OpenAPI 2.0). Show the credit in `X-Weather-Attribution` next to the data: its license requires it.',

  `Data: ${DATA_SOURCES}`,
].join('\n\n');

const seconds = (ttl: TtlName) => TTLS[ttl].defaultSeconds.toLocaleString('en-US');

/** What all operations have in common, in Markdown, for `/llms.txt`. */
export const DETAILS = [
  '**Requests.** `HEAD` works wherever `GET` does. `/api/weather` and `/api/health` are aliases of ' +
    'the same paths with `v1`; no other path has an alias.',

  '**Errors** are JSON objects with exactly two fields, `error` (a short title) and `message` ' +
    '(an explanation). Besides the responses of each operation, an unknown path gets 404, and a ' +
    'method that a path does not offer gets 405 with `Allow`. A request whose headers exceed ' +
    '16 KiB gets 431. One whose headers take longer than 15 seconds gets 408.',

  '**Request IDs.** Every response has `X-Request-ID`. If you send one, with up to 64 characters ' +
    'of `A-Z a-z 0-9 . _ -`, the response has the same.',

  '**Limits.** Unless the operator sets others: 30 weather requests per minute per client ' +
    'address, and 200 requests per hour in total, health checks and suggestions not counted. ' +
    'The windows are sliding windows. ' +
    'The `X-RateLimit-*` headers describe the limit with the fewest requests left; ' +
    '`RateLimit-Policy` and `RateLimit` list every limit in the format of the IETF draft; with a 429, ' +
    '`RateLimit` lists only the one that rejected. After a ' +
    '429, wait until `X-RateLimit-Reset`; after another one, back off exponentially. ' +
    '`X-RateLimit-Dry-Run` names a limit that would have rejected the request if it were applied. ' +
    'Public responses have these headers only on a rejection, because shared caches may store them.',

  '**Caching.** Current weather is cached for ' +
    `${seconds('weather')} seconds per location, and a forecast for ${seconds('forecast')} seconds. ` +
    'The spelling of the location does not matter. Data from MET Norway is cached ' +
    'until its response expires, if that is later. `X-Cache` says where the data came from, and ' +
    '`Age` how old it is. While every weather provider is unavailable, responses can have older ' +
    'data, with `X-Cache: STALE`. Responses with `Cache-Control: public` are the same for everybody: ' +
    'they need no session, and a shared cache may store them.',

  '**Sessions.** The first weather request sets a signed, `HttpOnly` cookie. The session has the ' +
    'last ten searches for a city. Browser clients on another origin must send credentials, and ' +
    'the operator must allow their origin.',

  '**Assistants.** If the operator has turned it on, `POST /mcp` offers the same data as tools, by the Model Context ' +
    'Protocol.',
];

/** The `info` object. Its description is CommonMark. The documentation page begins with it. */
export const info = {
  title: 'Weather lookup service',
  version: SERVICE_VERSION,
  description: DESCRIPTION,
  contact: { name: 'Weather lookup service maintainers', url: SERVICE_REPOSITORY },
  license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
};
