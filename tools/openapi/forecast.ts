import { city, country, record } from './definitions.js';
import { freshness } from './headers.js';
import { json, limited, shared } from './responses.js';
import { degrees, failures, ifNoneMatch, RECORDED } from './weather.js';

const SEATTLE = {
  location: { city: 'Seattle', country: 'USA', latitude: null, longitude: null },
  timezone: 'America/Los_Angeles',
  days: [
    {
      date: '2026-11-24',
      temperature_min: 4.1,
      temperature_max: 9,
      condition: 'Slight rain',
      precipitation_probability: 62,
      sunrise: '2026-11-24T07:28',
      sunset: '2026-11-24T16:25',
    },
  ],
};

const localTime = (description: string) => ({
  type: 'string',
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}$',
  'x-nullable': true,
  description,
});

const temperature = (what: string) => ({
  type: 'number',
  format: 'double',
  description: `${what} temperature in degrees Celsius, at most one decimal.`,
});

const DailyWeather = record(
  {
    date: {
      type: 'string',
      format: 'date',
      description: 'Local date.',
    },
    temperature_min: temperature('Lowest'),
    temperature_max: temperature('Highest'),
    condition: {
      type: 'string',
      description: 'The most severe weather of the day, in the words of the WMO weather codes.',
    },
    precipitation_probability: {
      type: 'integer',
      format: 'int32',
      minimum: 0,
      maximum: 100,
      'x-nullable': true,
      description: 'Probability of precipitation in percent; null if the provider has none.',
    },
    sunrise: localTime('Local time of sunrise; null if the sun does not rise on this date.'),
    sunset: localTime(
      'Local time of the sunset after `sunrise`, which can be after midnight; null if the sun does ' +
        'not set.',
    ),
  },
  SEATTLE.days[0]!,
);

const ForecastRecord = record(
  {
    location: { $ref: '#/definitions/Location' },
    timezone: {
      type: 'string',
      description: 'IANA name of the time zone of all dates and times.',
    },
    days: {
      type: 'array',
      minItems: 1,
      maxItems: 7,
      items: { $ref: '#/definitions/DailyWeather' },
      description:
        'From the local date of today on, or of tomorrow if the provider has no complete values for ' +
        'today: as many days as were requested, or fewer if the provider has fewer. Depending on ' +
        'the provider, today has the values of the rest of the day.',
    },
  },
  SEATTLE,
);

export const forecastDefinitions = { ForecastRecord, DailyWeather };

const days = {
  name: 'days',
  in: 'query',
  required: false,
  type: 'integer',
  format: 'int32',
  minimum: 1,
  maximum: 7,
  default: 3,
  description: 'The number of days.',
  'x-example': 3,
};

const found = (example: object) =>
  json('ForecastRecord', 'The daily forecast.', example, { ...freshness, ...limited });

/** Daily forecast: by city and by coordinates. */
export const forecastPaths = {
  '/api/v1/forecast': {
    get: {
      tags: ['forecast'],
      operationId: 'getForecast',
      summary: 'Daily forecast by city',
      description: `The city is found as for current weather. ${RECORDED}`,
      parameters: [
        { name: 'city', in: 'query', required: true, ...city, 'x-example': 'Seattle' },
        { name: 'country', in: 'query', required: true, ...country, 'x-example': 'USA' },
        days,
        ifNoneMatch,
      ],
      responses: {
        200: found(SEATTLE),
        304: shared('ForecastNotModified'),
        400: shared('InvalidForecastQuery'),
        ...failures,
      },
    },
  },
  '/api/v1/forecast/coordinates': {
    get: {
      tags: ['forecast'],
      operationId: 'getForecastByCoordinates',
      summary: 'Daily forecast by coordinates',
      description:
        'The response names the city and country at the coordinates, and repeats the coordinates of ' +
        'the request. The search is not added to the recent searches.',
      parameters: [
        degrees('lat', 'Latitude', 90, 47.6062),
        degrees('lon', 'Longitude', 180, -122.3321),
        days,
        ifNoneMatch,
      ],
      responses: {
        200: found({
          ...SEATTLE,
          location: { city: 'Seattle', country: 'USA', latitude: 47.6062, longitude: -122.3321 },
        }),
        304: shared('ForecastNotModified'),
        400: shared('InvalidForecastCoordinates'),
        ...failures,
      },
    },
  },
};
