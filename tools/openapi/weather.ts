import { city, country } from './definitions.js';
import { currentWeather, freshness } from './headers.js';
import { json, limited, shared } from './responses.js';

const legacy = (alias: boolean) => (alias ? ' (alias of /api/v1/weather)' : '');

const PARIS = {
  location: { city: 'Paris', country: 'France', latitude: null, longitude: null },
  temperature: 8.4,
  condition: 'Slight rain',
  humidity: 87,
  wind_speed: 11.2,
};

const found = (example: object) =>
  json('WeatherRecord', 'The current weather.', example, {
    ...freshness,
    ...currentWeather,
    ...limited,
  });

/** The failures of every weather operation. */
export const failures = {
  429: shared('RateLimited'),
  500: shared('InternalError'),
  503: shared('WeatherUnavailable'),
};

/** The header that makes a request conditional. */
export const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  type: 'string',
  required: false,
  description: 'The `ETag` of an earlier response: 304 without a body if nothing has changed.',
};

export const RECORDED = 'A successful search is added to the recent searches of the session.';

const getByCity = (operationId: string, alias: boolean) => ({
  tags: ['weather'],
  operationId,
  summary: `Weather by city${legacy(alias)}`,
  description:
    'The country restricts the search. Of several cities with the same name, the most populous one ' +
    `counts. ${RECORDED}`,
  parameters: [
    { name: 'city', in: 'query', required: true, ...city, 'x-example': 'Paris' },
    { name: 'country', in: 'query', required: true, ...country, 'x-example': 'France' },
    ifNoneMatch,
  ],
  responses: {
    200: found(PARIS),
    304: shared('NotModified'),
    400: shared('InvalidQuery'),
    ...failures,
  },
});

const postByCity = (operationId: string, alias: boolean) => ({
  tags: ['weather'],
  operationId,
  summary: `Weather by city, in the body${legacy(alias)}`,
  description: `Like the GET operation, with a JSON body of at most 16 KiB. ${RECORDED}`,
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
    200: found(PARIS),
    400: shared('InvalidBody'),
    408: shared('RequestTimeout'),
    413: shared('PayloadTooLarge'),
    ...failures,
  },
});

/** A coordinate as query parameter. */
export const degrees = (name: string, what: string, limit: number, example: number) => ({
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

/** Current weather: by city (GET and POST, each with its legacy alias) and by coordinates. */
export const weatherPaths = {
  '/api/v1/weather': {
    get: getByCity('getWeather', false),
    post: postByCity('postWeather', false),
  },
  '/api/v1/weather/coordinates': {
    get: {
      tags: ['weather'],
      operationId: 'getWeatherByCoordinates',
      summary: 'Weather by coordinates',
      description:
        'The response names the city and country at the coordinates, and repeats the coordinates of ' +
        'the request. The search is not added to the recent searches.',
      parameters: [
        degrees('lat', 'Latitude', 90, 48.8566),
        degrees('lon', 'Longitude', 180, 2.3522),
        ifNoneMatch,
      ],
      responses: {
        200: found({
          ...PARIS,
          location: { city: 'Paris', country: 'France', latitude: 48.8566, longitude: 2.3522 },
        }),
        304: shared('NotModified'),
        400: shared('InvalidCoordinates'),
        ...failures,
      },
    },
  },
  '/api/weather': {
    get: getByCity('getWeatherLegacy', true),
    post: postByCity('postWeatherLegacy', true),
  },
};
