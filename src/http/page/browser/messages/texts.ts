/** Texts for the user about failures, numbers, and times. */
import type { Failure } from '../state/api.js';

/** Returns the text for a request that failed. If the service has responded, it is the message of the service. */
export function problemText({ status, message, headers }: Failure): string {
  if (status === 0) return navigator.onLine ? 'The service does not respond.' : 'You are offline.';
  if (status === 429) {
    const wait = timeText(Number(headers.get('Retry-After')));
    return `There were too many searches. You can search again in ${wait}.`;
  }
  if (message && (status === 400 || status === 503)) return message;
  const requestId = headers.get('X-Request-ID');
  return `The service has failed.${requestId ? ` The request ID is ${requestId}.` : ''}`;
}

function timeText(seconds: number): string {
  const [value, unit] = seconds > 90 ? [Math.ceil(seconds / 60), 'minute'] : [seconds, 'second'];
  const format = { style: 'unit', unit, unitDisplay: 'long' } as const;
  return new Intl.NumberFormat('en', format).format(value);
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
