/** What went wrong, in words for people. */
import type { Failure, Question } from './api.js';

/** Faults of input, by the title of the service's error. */
const INPUT: Readonly<Record<string, string>> = {
  'Missing required parameters': 'Please type a city and its country, such as “Potsdam, Germany”.',
  'Invalid coordinates': 'There is no such point on Earth.',
  'Geocoding failed': 'No town is known near this point. Is it in the open sea?',
};

/** @param question about the weather; without it, places were asked for */
export function explain(
  { status, title, limits, requestId }: Failure,
  question?: Question,
): string {
  switch (status) {
    case 0:
      return 'The service cannot be reached. The answer will appear here as soon as it is back.';
    case 400:
      if (question && 'city' in question && title === 'Geocoding failed') {
        return `No place called “${question.city}” is known in “${question.country}”.`;
      }
      if (title.endsWith('too long')) return 'This name is too long: 100 letters are the most.';
      return (
        INPUT[title] ??
        'A name may have letters, spaces, hyphens, apostrophes, periods and commas, nothing else.'
      );
    case 429:
      return `Too many searches: no more than ${limits?.limit ?? 'a few'} at a time, please.`;
    case 503:
      return question
        ? 'No weather service answers at the moment. We are sorry.'
        : 'Places cannot be looked for at the moment. With its country, the city may be found.';
    default:
      return `Something went wrong in the service. It is not your fault. ${report(requestId)}`;
  }
}

function report(requestId: string | null): string {
  return requestId ? `To report it, name the request ${requestId}.` : 'Please try again later.';
}

/** Why the browser does not tell where it is. @param code of a GeolocationPositionError */
export function explainPosition(code?: number): string {
  const why = code === 1 ? 'may not' : 'cannot';
  return `The browser ${why} tell where you are. Please type the name of a city.`;
}
