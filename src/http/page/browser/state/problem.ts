/** Why there is nothing to show, and what the user can do. */
import { fromNow } from '../place/date-formats.js';
import { RequestFailure } from './api.js';
import { fill, language, t } from './language.js';
import { getState, type Problem } from './page-state.js';
import { linkedCities } from './queries.js';

/** Returns why a request has failed. A bug of the page is reported as a failure of the service. */
export function problemOf(error: unknown, retry: () => void): Problem {
  const failure = error instanceof RequestFailure ? error : new RequestFailure(500);
  const choices = linkedCities(failure.headers.get('Link') ?? '');
  // The service would reject the same input again.
  const isInvalid = failure.status === 400;
  return { text: messageOf(failure), choices, ...(isInvalid ? {} : { retry }) };
}

/** After a response, the text is the service's English message, or says the same in short. */
function messageOf({ status, message, headers }: RequestFailure): string {
  if (status === 0) return navigator.onLine ? t.noResponse : t.offline;
  if (message && [400, 429, 503].includes(status)) {
    return language === 'en' ? message : shortMessage(status, Number(headers.get('Retry-After')));
  }
  const requestId = headers.get('X-Request-ID');
  return `${t.failed} ${requestId ? fill(t.requestId, requestId) : ''}`.trim();
}

function shortMessage(status: number, seconds: number): string {
  if (status === 400) return fill(t.unknownCity, getState().text);
  if (status === 503) return t.unavailable;
  return fill(t.tooMany, fromNow(seconds));
}
