import { InvalidInputError, PlaceNotFoundError } from '../../base/errors.js';
import type { CleanName } from '../../text/place-names.js';
import { plainText } from '../../text/typography.js';
import type { Gazetteer, Place } from '../../weather/types.js';
import { jsonAnswer, type Answer } from '../answer.js';
import {
  decimal,
  LATITUDE,
  listOf,
  LONGITUDE,
  nullable,
  objectSchema,
  text,
  type ValueOf,
} from '../description/schemas.js';
import { errorAnswer } from '../error-answers.js';
import { readName, validName } from '../name-parameter.js';
import { wholeNumber } from '../parameters.js';
import { publicHeaders } from '../public-headers.js';
import { queryOf, type Query, type Target } from '../request-target.js';
import type { Route } from '../route.js';

export const SUGGESTIONS_PATH = '/api/v1/places';
/** One day: the gazetteer changes only with a release. */
export const LIFETIME_SECONDS = 86_400;

export const LIMIT = wholeNumber('limit', {
  min: 1,
  max: 10,
  default: 5,
  description: 'The maximum number of places.',
});

const SUGGESTION = objectSchema('Place', {
  city: [
    text('A value for the parameter `city`: with the region if the name alone is ambiguous.'),
    'Springfield, Illinois',
  ],
  country: [text('The usual English name.'), 'United States'],
  country_code: [text('ISO 3166-1 alpha-2; XK for Kosovo.', { pattern: '^[A-Z]{2}$' }), 'US'],
  region: [nullable(text('State or province, in English; null if it is not known.')), 'Illinois'],
  latitude: [decimal(undefined, LATITUDE), 39.80172],
  longitude: [decimal(undefined, LONGITUDE), -89.64371],
});

export const BODY = objectSchema('Places', {
  places: [
    listOf(SUGGESTION, { maxItems: 10, description: 'The most likely first.' }),
    [SUGGESTION.example],
  ],
});

/** Answers a request for suggestions for the beginning of a city name. */
export type SuggestionAnswer = (target: Target) => Answer;

/** Creates the function that answers requests for suggestions. It never throws. */
export function createSuggestionAnswer(gazetteer: Pick<Gazetteer, 'suggest'>): SuggestionAnswer {
  function suggest(target: Target): Answer {
    const { q, country, limit } = suggestionFromQuery(queryOf(target));
    const suggestions = gazetteer.suggest(q, limit, country?.plain);
    if (!suggestions) {
      throw new PlaceNotFoundError(`No country is called '${country?.shown ?? ''}'.`);
    }
    const caching = { ageSeconds: 0, lifetimeSeconds: LIFETIME_SECONDS };
    const headers = publicHeaders(caching);
    return jsonAnswer(200, { places: suggestions.map(suggestionOf) }, headers);
  }

  return (target) => {
    try {
      return suggest(target);
    } catch (error) {
      return errorAnswer(error, target);
    }
  };
}

/** The route of suggestions. */
export const suggestionRoute = (answer: SuggestionAnswer): Route => ({
  ...{ method: 'get', paths: [SUGGESTIONS_PATH], group: 'suggestions', isPublic: true },
  parameters: ['q', 'country', 'limit'],
  answer: ({ state }) => answer(state.target),
});

function suggestionOf(place: Place): ValueOf<typeof SUGGESTION> {
  const { city, country, countryCode, region, latitude, longitude } = place;
  return { city, country, country_code: countryCode, region: region ?? null, latitude, longitude };
}

/** A request for suggestions. */
interface SuggestionInput {
  /** In plain typography. A space at the end means that the word is complete: "san " is not the beginning of Santiago. */
  q: string;
  country: CleanName | undefined;
  limit: number;
}

/** Returns text, country, and number of suggestions of a query string. @throws InvalidInputError */
function suggestionFromQuery(query: Query): SuggestionInput {
  const q = readName('q', query['q']);
  if (q === undefined) {
    throw new InvalidInputError('Missing required parameters', "The parameter 'q' is required");
  }
  const { plain } = validName(q);
  const country = validName(readName('country', query['country']));
  const limit = LIMIT.read(query);
  const isWholeWord = plainText(String(query['q'])).endsWith(' ');
  return { q: isWholeWord ? `${plain} ` : plain, country, limit };
}
