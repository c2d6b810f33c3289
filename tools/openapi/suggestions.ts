import {
  decimal,
  LATITUDE,
  listOf,
  LONGITUDE,
  orNull,
  objectSchema,
  text,
} from '../../src/http/description/schemas.js';
import {
  SUGGESTIONS_LIFETIME_SECONDS,
  LIMIT_PARAMETER,
  SUGGESTIONS_PATH,
} from '../../src/http/endpoints/suggestions.js';
import { definitionsOf } from './definitions.js';
import { ignoredParameters, publicLifetime } from './headers.js';
import {
  COUNTRY,
  missingRow,
  nameFaults,
  nameSchema,
  optionalParameter,
  rangeFaults,
} from './input-rules.js';
import { failure, faultTable, json, shared } from './responses.js';
import type { DescriptionPart } from './types.js';

const SUGGESTION = objectSchema('Place', {
  city: [
    text('A value for the parameter `city`: with the region if the name alone is ambiguous.'),
    'Springfield, Illinois',
  ],
  country: [text('The usual English name.'), 'United States'],
  country_code: [text('ISO 3166-1 alpha-2; XK for Kosovo.', { pattern: '^[A-Z]{2}$' }), 'US'],
  region: [orNull(text('State or province, in English; null if it is not known.')), 'Illinois'],
  latitude: [decimal(undefined, LATITUDE), 39.80172],
  longitude: [decimal(undefined, LONGITUDE), -89.64371],
});

const BODY = objectSchema('Places', {
  places: [
    listOf(SUGGESTION, { maxItems: 10, description: 'The most likely first.' }),
    [SUGGESTION.example],
  ],
});

/** Describes the operation that suggests places. */
export const describeSuggestions = (): DescriptionPart => ({
  definitions: definitionsOf(BODY),
  responses: {
    InvalidSuggestion: failure(
      'A query parameter is missing or breaks a rule, or there is no such country.\n\n' +
        faultTable([
          missingRow('parameters', 'q is missing or blank'),
          ...nameFaults(['q', 'country']),
          ...rangeFaults([LIMIT_PARAMETER]),
          { error: 'Geocoding failed', condition: 'there is no such country' },
        ]),
      { error: 'Missing required parameters', message: "The parameter 'q' is required" },
    ),
  },
  paths: {
    [SUGGESTIONS_PATH]: {
      get: {
        tags: ['places'],
        operationId: 'suggestPlaces',
        summary: 'Suggest places',
        description:
          'Places whose name, in any language and script, begins with `q`: cities that are shown by such a ' +
          'name before others, complete names before longer ones, larger places before smaller ones. A space at the end of ' +
          '`q` completes its last word. With `city` and `country` of a suggestion, the other operations ' +
          'find the same place. No session is needed. Suggestions have a limit of their own: ten times as many ' +
          'requests per client address as weather.',
        parameters: [
          {
            name: 'q',
            in: 'query',
            required: true,
            'x-example': 'pots',
            ...nameSchema('The beginning of the name, in any language'),
          },
          {
            name: 'country',
            in: 'query',
            required: false,
            'x-example': 'Germany',
            ...COUNTRY,
            minLength: 0,
            description: `Suggest places of this country only. ${COUNTRY.description}`,
          },
          optionalParameter(LIMIT_PARAMETER),
        ],
        responses: {
          200: json(
            BODY,
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
              ...publicLifetime(SUGGESTIONS_LIFETIME_SECONDS),
              ...ignoredParameters,
            },
          ),
          400: { $ref: '#/responses/InvalidSuggestion' },
          429: shared('RateLimited'),
          500: shared('InternalError'),
          503: shared('Overloaded'),
        },
      },
    },
  },
});
