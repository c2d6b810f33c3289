import { LOCATION_ENDPOINTS } from '../../src/http/endpoints/index.js';
import type { LocationEndpoint, RequestedBy } from '../../src/http/endpoints/endpoint.js';
import { city, country, record } from './definitions.js';
import { cacheControl, freshness, publicCaching } from './headers.js';
import { invalidQuery, json, limited, notModified, shared } from './responses.js';
import type { Fields, Operation, Parameter, Response } from './types.js';

/** The operations about a location: for each endpoint by city and by coordinates. */

const RECORDED = 'A successful search is added to the recent searches of the session.';
const NOT_RECORDED = 'The search is not added to the recent searches.';
const PUBLIC = 'The response is the same for everybody: it needs no session.';

/** The header that makes a request conditional. */
const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  type: 'string',
  required: false,
  description: 'The `ETag` of an earlier response: 304 without a body if nothing has changed.',
};

/** A coordinate as query parameter. */
const degrees = (name: string, what: string, limit: number, example: number) => ({
  name,
  in: 'query',
  required: true,
  type: 'number',
  format: 'double',
  minimum: -limit,
  maximum: limit,
  description:
    `${what} in decimal degrees, as programs print it: \`5\`, \`5.\`, \`.5\`, \`+5\`, \`5e-1\`. Spaces ` +
    'around it do not matter.',
  'x-example': example,
});

/** The parts of a description that depend on whether the responses are public. */
function accessTo({ publicFor, description }: LocationEndpoint, by: RequestedBy) {
  const isPublic = publicFor.includes(by);
  const session: Record<string, Fields> = isPublic ? {} : limited;
  return {
    search: isPublic ? PUBLIC : by === 'name' ? RECORDED : NOT_RECORDED,
    headers: {
      ...freshness,
      ...(isPublic ? publicCaching : cacheControl('private, no-cache')),
      ...description.headers,
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
  Object.values(parameters).map(({ description }): Parameter => ({ ...description }));

/** The response to a request by city, or by coordinates. */
function found(endpoint: LocationEndpoint, by: RequestedBy) {
  const { schema, response, example } = endpoint.description;
  const { city: name, country: ofCountry, latitude, longitude } = example.location;
  const point = by === 'name' ? { latitude: null, longitude: null } : { latitude, longitude };
  const location = { city: name, country: ofCountry, ...point };
  return json(schema, response, { location, ...example.members }, accessTo(endpoint, by).headers);
}

function getByCity(endpoint: LocationEndpoint, alias: string | undefined): Operation {
  const { operation, summary, tag, example } = endpoint.description;
  const { location } = example;
  const { search, headers, headersOfError, failures } = accessTo(endpoint, 'name');
  return {
    tags: [tag],
    operationId: `get${operation}${alias === undefined ? '' : 'Legacy'}`,
    summary: `${summary} by city${aliasOf(endpoint, alias)}`,
    description:
      'The country restricts the search. Of several cities with the same name, the most populous one ' +
      `counts. ${search}`,
    parameters: [
      { name: 'city', in: 'query', required: true, ...city, 'x-example': location.city },
      { name: 'country', in: 'query', required: true, ...country, 'x-example': location.country },
      ...parametersOf(endpoint),
      ifNoneMatch,
    ],
    responses: {
      200: found(endpoint, 'name'),
      304: notModified(headers),
      400: invalidQuery('names', endpoint.parameters, headersOfError),
      ...failures,
    },
  };
}

function postByCity(endpoint: LocationEndpoint, alias: string | undefined): Operation {
  const { operation, summary, tag } = endpoint.description;
  const { search, failures } = accessTo(endpoint, 'name');
  return {
    tags: [tag],
    operationId: `post${operation}${alias === undefined ? '' : 'Legacy'}`,
    summary: `${summary} by city, in the body${aliasOf(endpoint, alias)}`,
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
      400: shared('InvalidBody'),
      408: shared('RequestTimeout'),
      413: shared('PayloadTooLarge'),
      ...failures,
    },
  };
}

function getByCoordinates(endpoint: LocationEndpoint): Operation {
  const { operation, summary, tag, example } = endpoint.description;
  const { latitude, longitude } = example.location;
  const { search, headers, headersOfError, failures } = accessTo(endpoint, 'coordinates');
  return {
    tags: [tag],
    operationId: `get${operation}ByCoordinates`,
    summary: `${summary} by coordinates`,
    description:
      'The response names the city and country at the coordinates, and repeats the coordinates of ' +
      `the request. ${search}`,
    parameters: [
      degrees('lat', 'Latitude', 90, latitude),
      degrees('lon', 'Longitude', 180, longitude),
      ...parametersOf(endpoint),
      ifNoneMatch,
    ],
    responses: {
      200: found(endpoint, 'coordinates'),
      304: notModified(headers),
      400: invalidQuery('coordinates', endpoint.parameters, headersOfError),
      ...failures,
    },
  };
}

const aliasOf = ({ path }: LocationEndpoint, alias: string | undefined) =>
  alias === undefined ? '' : ` (alias of ${path})`;

function pathsOf(endpoint: LocationEndpoint): [string, Record<string, Operation>][] {
  const { path, aliases = [], acceptsBody } = endpoint;
  const byCity = (alias?: string) => ({
    get: getByCity(endpoint, alias),
    ...(acceptsBody && { post: postByCity(endpoint, alias) }),
  });
  return [
    [path, byCity()],
    [`${path}/coordinates`, { get: getByCoordinates(endpoint) }],
    ...aliases.map((alias): [string, Record<string, Operation>] => [alias, byCity(alias)]),
  ];
}

export const locationPaths = Object.fromEntries(LOCATION_ENDPOINTS.flatMap(pathsOf));

function definitionsOf(endpoint: LocationEndpoint) {
  const { schema, members, definitions, example } = endpoint.description;
  const { city: name, country: ofCountry } = example.location;
  const location = { city: name, country: ofCountry, latitude: null, longitude: null };
  return [
    [
      schema,
      record(
        { location: { $ref: '#/definitions/Location' }, ...members },
        { location, ...example.members },
      ),
    ],
    ...Object.entries(definitions).map(([each, parts]) => [
      each,
      record(parts.members, parts.example),
    ]),
  ] as [string, ReturnType<typeof record>][];
}

export const locationDefinitions = Object.fromEntries(LOCATION_ENDPOINTS.flatMap(definitionsOf));

/** The headers of the responses of any of these endpoints. */
export const locationHeaders = Object.assign(
  {},
  ...LOCATION_ENDPOINTS.map(({ description }) => description.headers),
) as Record<string, object>;
