/** Texts for the user about failures. */
import type { Failure } from '../service/api-client.js';
import type { Query } from '../service/queries.js';

/** Texts for invalid input, by the title of the error. */
const INPUT: Readonly<Record<string, string>> = {
  'Missing required parameters': 'Please type a city and its country, such as “Potsdam, Germany”.',
  'Invalid coordinates': 'There is no such point on Earth.',
  'Geocoding failed': 'No town is known near this point. Is it in the open sea?',
};

/** Returns the text for a request without a response, which the page repeats. */
export function outageText(isOnline: boolean): string {
  return isOnline
    ? 'The service cannot be reached; the page tries again until it can.'
    : 'You are offline; the page tries again until you are online.';
}

/**
 * Returns the text for an error response.
 * @param query the weather was requested for; undefined for a request for suggestions
 */
export function errorText({ status, title, requestId }: Failure, query?: Query): string {
  switch (status) {
    case 400:
      return inputText(title, query);
    case 429:
      return 'Too many searches.';
    case 503:
      return query
        ? 'The weather is unavailable at the moment.'
        : 'The search for places is unavailable at the moment. Please add the country: “City, Country”.';
    default:
      return `The service has failed. ${reportText(requestId)}`;
  }
}

/** Returns the text that replaces the next hours or days if their request failed. */
export function sectionErrorText({ status }: Failure): string {
  return status === 429 ? 'Not shown: there were too many searches.' : 'Unavailable at the moment.';
}

function inputText(title: string, query?: Query): string {
  if (query && 'city' in query && title === 'Geocoding failed') {
    return `No place called “${query.city}” is known in “${query.country}”.`;
  }
  if (title.endsWith('too long')) return 'This name is too long: at most 100 letters are allowed.';
  return (
    INPUT[title] ??
    'A name may contain only letters, spaces, hyphens, apostrophes, periods, and commas.'
  );
}

function reportText(requestId: string | null): string {
  return requestId ? `To report it, give the request ID ${requestId}.` : 'Please try again later.';
}

/** Returns the text for a failed geolocation. @param code of a GeolocationPositionError */
export function positionErrorText(code: number): string {
  const reason =
    code === 1 ? 'The browser may not use your location.' : 'Your location is unknown.';
  return `${reason} Please type the name of a city.`;
}
