import { LOCATION_ENDPOINTS } from '../../src/http/endpoints/location-routes.js';
import type { LocationEndpoint, RequestedBy } from '../../src/http/endpoints/endpoint.js';
import { definitionsOf } from './definitions.js';
import { cacheControl, freshness, ownHeaders, publicCaching } from './headers.js';
import { json, limited, notModified, shared } from './responses.js';
import type { Tag } from './info.js';
import type { DescriptionPart, Fields, Operation, Paths, Response } from './types.js';
import { CITY, COUNTRY, optionalParameter } from './input-rules.js';
import {
  bodyOf,
  degrees,
  exampleLocation,
  ifNoneMatch,
  invalidBody,
  invalidQuery,
  PLACE_QUERY,
} from './location-parts.js';

/** The operations about a location: for each endpoint by city and by coordinates. */

export const BY_CITY =
  'The country restricts the search. Of several cities with the same name, the most populous one counts.';
export const BY_COORDINATES =
  'The response names the city and country at the coordinates, and repeats the coordinates of the request.';
const RECORDED = 'A successful search is added to the recent searches of the session.';
const NOT_RECORDED = 'The search is not added to the recent searches.';
const PUBLIC = 'The response is the same for everybody: it needs no session.';

/** The parts of a description that depend on whether the responses are public. */
function accessTo(endpoint: LocationEndpoint, by: RequestedBy) {
  const isPublic = endpoint.publicFor.includes(by);
  const session: Record<string, Fields> = isPublic ? {} : limited;
  return {
    search: isPublic ? PUBLIC : by === 'name' ? RECORDED : NOT_RECORDED,
    headers: {
      ...freshness,
      ...(isPublic ? publicCaching : cacheControl('private, no-cache')),
      ...ownHeaders(endpoint),
      ...session,
    },
    headersOfError: session,
    failures: {
      429: shared('RateLimited'),
      500: shared('InternalError'),
      503: shared(isPublic ? 'PublicDataUnavailable' : 'WeatherUnavailable'),
    } as Record<string, Response>,
  };
}

const parametersOf = ({ parameters }: LocationEndpoint) =>
  Object.values(parameters).map(optionalParameter);

/** The name of the operations, such as `Forecast` of `getForecast` and `getForecastByCoordinates`, and their tag. */
const operationOf = ({ body, path }: LocationEndpoint): { operation: string; tag: Tag } => ({
  operation: body.name.replace(/Record$/, ''),
  tag: path.startsWith('/api/v1/forecast') ? 'forecast' : 'weather',
});

/** The response to a request by city, or by coordinates. */
function found(endpoint: LocationEndpoint, by: RequestedBy) {
  const { example, name } = bodyOf(endpoint);
  const shown = by === 'name' ? example : { ...example, location: exampleLocation(endpoint) };
  // The values that the public contract fixes are never null.
  const nulls = 'place' in example ? ' A value that the provider does not have is null.' : '';
  const text = `${endpoint.summary}.${nulls}`;
  return json({ name }, text, shown, accessTo(endpoint, by).headers);
}

function getByCity(endpoint: LocationEndpoint, alias: string | undefined): Operation {
  const { operation, tag } = operationOf(endpoint);
  const { city, country } = exampleLocation(endpoint);
  const { search, headers, headersOfError, failures } = accessTo(endpoint, 'name');
  return {
    tags: [tag],
    operationId: `get${operation}${alias === undefined ? '' : 'Legacy'}`,
    summary: `${endpoint.summary} by city${aliasOf(endpoint, alias)}`,
    description: `${BY_CITY} ${search}`,
    parameters: [
      { name: 'city', in: 'query', required: true, ...CITY, 'x-example': city },
      { name: 'country', in: 'query', required: true, ...COUNTRY, 'x-example': country },
      ...parametersOf(endpoint),
      ifNoneMatch,
    ],
    responses: {
      200: found(endpoint, 'name'),
      304: notModified(headers),
      400: invalidQuery(endpoint, 'name', headersOfError),
      ...failures,
    },
  };
}

function postByCity(endpoint: LocationEndpoint, alias: string | undefined): Operation {
  const { operation, tag } = operationOf(endpoint);
  const { search, failures } = accessTo(endpoint, 'name');
  return {
    tags: [tag],
    operationId: `post${operation}${alias === undefined ? '' : 'Legacy'}`,
    summary: `${endpoint.summary} by city, in the body${aliasOf(endpoint, alias)}`,
    description: `Like the GET operation, with a JSON body of at most 16 KiB. ${search}`,
    parameters: [
      {
        name: 'body',
        in: 'body',
        required: true,
        description: 'City and country.',
        schema: { $ref: '#/definitions/WeatherQuery' },
      },
    ],
    responses: {
      200: found(endpoint, 'name'),
      400: { $ref: '#/responses/InvalidBody' },
      408: shared('RequestTimeout'),
      413: shared('PayloadTooLarge'),
      ...failures,
    },
  };
}

function getByCoordinates(endpoint: LocationEndpoint): Operation {
  const { operation, tag } = operationOf(endpoint);
  const { latitude, longitude } = exampleLocation(endpoint);
  const { search, headers, headersOfError, failures } = accessTo(endpoint, 'coordinates');
  return {
    tags: [tag],
    operationId: `get${operation}ByCoordinates`,
    summary: `${endpoint.summary} by coordinates`,
    description: `${BY_COORDINATES} ${search}`,
    parameters: [
      degrees('lat', latitude),
      degrees('lon', longitude),
      ...parametersOf(endpoint),
      ifNoneMatch,
    ],
    responses: {
      200: found(endpoint, 'coordinates'),
      304: notModified(headers),
      400: invalidQuery(endpoint, 'coordinates', headersOfError),
      ...failures,
    },
  };
}

const aliasOf = ({ path }: LocationEndpoint, alias: string | undefined) =>
  alias === undefined ? '' : ` (alias of ${path})`;

function pathsOf(endpoint: LocationEndpoint): [string, Paths[string]][] {
  const { path, aliases = [], acceptsBody } = endpoint;
  const byCity = (alias?: string) => ({
    get: getByCity(endpoint, alias),
    ...(acceptsBody && { post: postByCity(endpoint, alias) }),
  });
  return [
    [path, byCity()],
    [`${path}/coordinates`, { get: getByCoordinates(endpoint) }],
    ...aliases.map((alias): [string, Paths[string]] => [alias, byCity(alias)]),
  ];
}

/** Describes every endpoint about a location. */
export const describeLocations = (): DescriptionPart => ({
  paths: Object.fromEntries(LOCATION_ENDPOINTS.flatMap(pathsOf)),
  responses: { InvalidBody: invalidBody() },
  definitions: {
    ...definitionsOf(...LOCATION_ENDPOINTS.map(bodyOf)),
    WeatherQuery: PLACE_QUERY,
  },
});
