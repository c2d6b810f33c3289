import type { LocationEndpoint, RequestedBy } from '../../src/http/endpoints/endpoint.js';
import { similarPlaces } from './headers.js';
import { failure, faultTable, limited } from './responses.js';
import {
  decimal,
  LATITUDE,
  LONGITUDE,
  orNull,
  objectSchema,
  text,
} from '../../src/http/description/schemas.js';
import type { Fields, Parameter } from './types.js';
import { COORDINATE_LIMITS } from '../../src/http/input/validate.js';
import {
  CITY,
  COUNTRY,
  missingRow,
  PLACE_FAULTS,
  POINT_FAULTS,
  rangeFaults,
} from './input-rules.js';

/** The parameters, bodies, and errors that all endpoints about a location have. */

/** The header that makes a request conditional. */
export const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  type: 'string',
  required: false,
  description: 'The `ETag` of an earlier response: 304 without a body if nothing has changed.',
};

export const DEGREES_RULES =
  'A number as programs print it: `5`, `5.`, `.5`, `+5`, `5e-1`. Spaces around it do not matter.';

/** A coordinate as query parameter. */
export function degrees(name: keyof typeof COORDINATE_LIMITS, example: number): Parameter {
  const limit = COORDINATE_LIMITS[name];
  const axis = name === 'lat' ? 'Latitude' : 'Longitude';
  return {
    name,
    in: 'query',
    required: true,
    'x-example': example,
    ...decimal(undefined, { minimum: -limit, maximum: limit }).object,
    description: `${axis} in decimal degrees. ${DEGREES_RULES}`,
  };
}

const coordinate = (axis: string, range: Fields) =>
  orNull(decimal(`${axis} of the request, in decimal degrees; null for a request by city.`, range));

/** The member `location`: the first one of each response. */
const LOCATION = objectSchema('Location', {
  city: [text('As in the request, or the city at the coordinates.'), 'Paris'],
  country: [text('As in the request, or the country at the coordinates.'), 'France'],
  latitude: [coordinate('Latitude', LATITUDE), null],
  longitude: [coordinate('Longitude', LONGITUDE), null],
});

/** The body of a request. */
export const PLACE_QUERY = {
  type: 'object',
  required: ['city', 'country'],
  properties: { city: CITY, country: COUNTRY },
  example: { city: 'Paris', country: 'France' },
};

const PARIS = { city: 'Paris', country: 'France', latitude: 48.8566, longitude: 2.3522 };

/** The location of the examples of an endpoint: that of `place` in its body, if it has one. */
export function exampleLocation({ body }: LocationEndpoint): typeof PARIS {
  const { place = PARIS } = body.example as { place?: typeof PARIS };
  const { city, country, latitude, longitude } = place;
  const round = (number: number) => Number(number.toFixed(4));
  return { city, country, latitude: round(latitude), longitude: round(longitude) };
}

/** The complete body of a response. */
export function bodyOf(endpoint: LocationEndpoint) {
  const { body } = endpoint;
  const { city, country } = exampleLocation(endpoint);
  return {
    ...body,
    properties: { location: { $ref: `#/definitions/${LOCATION.name}` }, ...body.properties },
    example: { location: { city, country, latitude: null, longitude: null }, ...body.example },
    refersTo: [LOCATION, ...body.refersTo],
  };
}

const NAME_FAULTS = [
  ...PLACE_FAULTS,
  missingRow('parameters', 'city or country is missing or blank'),
];

/** The responses to an invalid query. */
const INVALID_QUERY = {
  name: {
    description: 'A query parameter is missing, breaks a rule, or names no place.',
    faults: NAME_FAULTS,
    example: {
      error: 'Missing required parameters',
      message: "Both 'city' and 'country' parameters are required",
    },
  },
  coordinates: {
    description: 'A query parameter is missing or breaks a rule, or no place is near.',
    faults: POINT_FAULTS,
    example: { error: 'Invalid coordinates', message: 'lat must be between -90 and 90' },
  },
};

export function invalidQuery(
  { parameters }: LocationEndpoint,
  by: RequestedBy,
  headers: Record<string, Fields>,
) {
  const { description, faults, example } = INVALID_QUERY[by];
  const own = rangeFaults(Object.values(parameters));
  return failure(`${description}\n\n${faultTable([...faults, ...own])}`, example, {
    ...headers,
    ...(by === 'name' ? similarPlaces : {}),
  });
}

/** The response to an invalid body. */
export const invalidBody = () =>
  failure(
    'The body is not a JSON object, or a field is missing, breaks a rule, or names no place.\n\n' +
      faultTable([
        ...PLACE_FAULTS,
        missingRow('fields', 'city or country is missing, `null` or blank'),
        {
          error: 'Invalid request',
          condition: 'the body is empty, compressed, not a JSON object, or not `application/json`',
        },
      ]),
    { error: 'Missing required fields', message: "Both 'city' and 'country' fields are required" },
    { ...limited, ...similarPlaces },
  );
