import { PlaceNotFoundError } from '../../weather/errors.js';
import { plainText } from '../../text/typography.js';
import type { Gazetteer, Place } from '../../weather/types.js';
import { jsonAnswer } from '../answer.js';
import type { Route } from '../context.js';
import { wholeNumber } from '../input/parameters.js';
import { publicHeaders } from '../public-headers.js';
import { isMissing, missing, nameFrom, type Input } from '../input/validate.js';

/** One day: the gazetteer changes only with a release. */
const CACHING = publicHeaders({ ageSeconds: 0, lifetimeSeconds: 86_400 });

export const LIMIT_PARAMETER = wholeNumber('limit', {
  min: 1,
  max: 10,
  default: 5,
  description: 'The maximum number of places.',
});

export const SUGGESTION_PARAMETERS = ['q', 'country', 'limit'];

export type Suggester = ReturnType<typeof createSuggester>;

/** Creates the function that returns suggestions for the beginning of a city name. */
export function createSuggester(gazetteer: Pick<Gazetteer, 'suggest'>) {
  /** @throws InvalidInputError or PlaceNotFoundError */
  return (input: Input) => {
    const { q, country, limit } = suggestionFrom(input);
    const places = gazetteer.suggest(q, limit, country?.plain)?.map(suggestionOf);
    if (!places) throw new PlaceNotFoundError(`No country is called '${country?.shown ?? ''}'.`);
    return { places };
  };
}

export const suggestionRoute = (suggest: Suggester): Route => ({
  method: 'get',
  paths: ['/api/v1/places'],
  group: 'suggestions',
  isPublic: true,
  parameters: SUGGESTION_PARAMETERS,
  answer(_ctx, parameters) {
    const answer = jsonAnswer(200, suggest(parameters));
    return { ...answer, headers: [...answer.headers, ...CACHING], publicAgeSeconds: 0 };
  },
});

function suggestionOf(place: Place) {
  const { city, country, countryCode, region, latitude, longitude } = place;
  return { city, country, country_code: countryCode, region: region ?? null, latitude, longitude };
}

/** Returns text, country, and number of suggestions. @throws InvalidInputError */
function suggestionFrom(query: Input) {
  if (isMissing(query['q'])) throw missing('parameters', 'q');
  const { plain } = nameFrom('q', query['q']);
  const country = isMissing(query['country']) ? undefined : nameFrom('country', query['country']);
  // A space at the end means that the word is complete: "san " is not the beginning of Santiago.
  const isWholeWord = plainText(String(query['q'])).endsWith(' ');
  return { q: isWholeWord ? `${plain} ` : plain, country, limit: LIMIT_PARAMETER.read(query) };
}
