/** Why there is nothing to show, and what the user can do. */
import { RequestFailure } from './api.js';
import { fill, t } from './language.js';
import { linkedCities, type City } from './queries.js';

export interface Problem {
  text: string;
  /** Cities that the user may have meant. */
  choices?: City[];
  /** Repeats what failed. */
  retry?: () => void;
}

/** Returns the problem that a request has failed. A bug of the page is reported as a failure of the service. */
export function problemOf(error: unknown, retry: () => void): Problem {
  const failure = error instanceof RequestFailure ? error : new RequestFailure(500);
  const choices = linkedCities(failure.headers.get('Link') ?? '');
  // The service would reject the same input again.
  const isInvalid = failure.status === 400;
  return { text: messageOf(failure), choices, ...(isInvalid ? {} : { retry }) };
}

/** If the service has responded, the text is the message of the service. */
function messageOf({ status, message, headers }: RequestFailure): string {
  if (status === 0) return navigator.onLine ? t.noResponse : t.offline;
  if (message && [400, 429, 503].includes(status)) return message;
  const requestId = headers.get('X-Request-ID');
  return `${t.failed} ${requestId ? fill(t.requestId, requestId) : ''}`.trim();
}
