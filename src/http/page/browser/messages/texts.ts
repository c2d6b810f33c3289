/** Texts for the user about failures, numbers, and times. */
import type { Failure } from '../state/api.js';
import type { Query } from '../state/queries.js';

/** Texts for invalid input, by the title of the error. */
const INPUT: Readonly<Record<string, string>> = {
  'Missing required parameters': 'Please type a city and its country, such as “Potsdam, Germany”.',
  'Invalid coordinates': 'There is no such point on Earth.',
  'Geocoding failed': 'No town is known near this point.',
};

/** Returns the text for a request for the weather that failed. */
export function problemText(failure: Failure, query: Query): string {
  if (failure.status === 400) return inputText(failure.title, query);
  return serviceText(failure, 'The weather is unavailable at the moment: no provider responds.');
}

/** Returns the text for a search for a place that failed. */
export function placesProblemText(failure: Failure): string {
  return serviceText(failure, 'The search for places is unavailable at the moment.');
}

function serviceText({ status, retryAfter, headers }: Failure, unavailable: string): string {
  switch (status) {
    case 0:
      return navigator.onLine ? 'The service does not respond.' : 'You are offline.';
    case 429:
      return `There were too many searches. You can search again in ${secondsText(retryAfter)}.`;
    case 503:
      return unavailable;
    default:
      return `The service has failed. ${reportText(headers.get('X-Request-ID'))}`;
  }
}

function inputText(title: string, query: Query): string {
  if ('city' in query && title === 'Geocoding failed') {
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

function secondsText(seconds: number): string {
  if (seconds > 90) return `${Math.ceil(seconds / 60)} minutes`;
  return seconds === 1 ? '1 second' : `${seconds} seconds`;
}

/** Returns the text for a failed geolocation. @param code of a GeolocationPositionError */
export function positionErrorText(code: number): string {
  const reason =
    code === 1 ? 'The browser may not use your location.' : 'Your location is unknown.';
  return `${reason} Please type the name of a city.`;
}

export function suggestionsText(count: number): string {
  if (count === 0) return 'No suggestions. You can still search.';
  return count === 1 ? '1 suggestion.' : `${count} suggestions.`;
}

const ago = new Intl.RelativeTimeFormat('en');

/** @param ms milliseconds since the weather was fetched */
export function ageText(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return 'Fetched just now.';
  if (minutes < 60) return `Fetched ${ago.format(-minutes, 'minute')}.`;
  return `Fetched ${ago.format(-Math.floor(minutes / 60), 'hour')}.`;
}
