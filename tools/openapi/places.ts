import { SUGGESTION_LIMIT } from '../../src/http/validate.js';
import { country, nameRules, record } from './definitions.js';
import { cacheControl } from './headers.js';
import { json, shared } from './responses.js';

const Place = record(
  {
    city: {
      type: 'string',
      description:
        'A value for the parameter `city`: with the region if the name alone is ambiguous.',
    },
    country: { type: 'string', description: 'The usual English name.' },
    country_code: {
      type: 'string',
      pattern: '^[A-Z]{2}$',
      description: 'ISO 3166-1 alpha-2; XK for Kosovo.',
    },
    region: {
      type: 'string',
      'x-nullable': true,
      description: 'State or province, in English; null if it is not known.',
    },
    latitude: { type: 'number', format: 'double', minimum: -90, maximum: 90 },
    longitude: { type: 'number', format: 'double', minimum: -180, maximum: 180 },
  },
  {
    city: 'Springfield, Illinois',
    country: 'United States',
    country_code: 'US',
    region: 'Illinois',
    latitude: 39.80172,
    longitude: -89.64371,
  },
);

const Places = record(
  {
    places: {
      type: 'array',
      maxItems: 10,
      items: { $ref: '#/definitions/Place' },
      description: 'The most likely first.',
    },
  },
  { places: [Place.example] },
);

export const placesDefinitions = { Places, Place };

/** Suggestions for the beginning of a name. */
export const placesPaths = {
  '/api/v1/places': {
    get: {
      tags: ['places'],
      operationId: 'suggestPlaces',
      summary: 'Suggest places',
      description:
        'Places whose name, in any language and script, begins with `q`: cities that are shown by such a ' +
        'name before others, complete names before longer ones, larger places before smaller ones. A space at the end of ' +
        '`q` is the end of a word. With `city` and `country` of a suggestion, the other operations ' +
        'find the same place. It needs no session, and has a limit of its own: ten times as many ' +
        'requests per client address as for weather.',
      parameters: [
        {
          name: 'q',
          in: 'query',
          required: true,
          type: 'string',
          minLength: 1,
          pattern: country.pattern,
          description: `The beginning of the name, in any language. ${nameRules}`,
          'x-example': 'pots',
        },
        {
          name: 'country',
          in: 'query',
          required: false,
          ...country,
          minLength: 0,
          description: `Suggest places of this country only. ${country.description}`,
          'x-example': 'Germany',
        },
        { ...SUGGESTION_LIMIT.description },
      ],
      responses: {
        200: json(
          'Places',
          'The most likely places first; an empty list if no name begins with `q`.',
          {
            places: [
              {
                city: 'Potsdam',
                country: 'Germany',
                country_code: 'DE',
                region: 'Brandenburg',
                latitude: 52.39886,
                longitude: 13.06566,
              },
            ],
          },
          {
            Age: {
              type: 'integer',
              minimum: 0,
              description:
                'Seconds since the service sent the response: above 0 if a cache sends it.',
            },
            ...cacheControl('public, max-age=86400'),
          },
        ),
        400: shared('InvalidSuggestion'),
        429: shared('RateLimited'),
        500: shared('InternalError'),
        503: shared('Overloaded'),
      },
    },
  },
};
