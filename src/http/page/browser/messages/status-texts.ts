/** Texts for the user about numbers and times. */
import type { Limits } from '../service/api-client.js';

/** Below this number of remaining requests, the page warns. */
const FEW_REQUESTS = 5;

const ago = new Intl.RelativeTimeFormat('en');

export function suggestionsText(count: number): string {
  if (count === 0) return 'No suggestions. You can still search.';
  return count === 1 ? '1 suggestion.' : `${count} suggestions.`;
}

/** @param ms milliseconds since the weather was fetched */
export function ageText(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return 'Fetched just now.';
  if (minutes < 60) return `Fetched ${ago.format(-minutes, 'minute')}.`;
  return `Fetched ${ago.format(-Math.floor(minutes / 60), 'hour')}.`;
}

/** @param ms milliseconds until a retry is possible */
export function countdownText(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds <= 0) return 'You can try again now.';
  return `You can try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`;
}

/** Returns a warning if few searches remain. @param now the time in milliseconds since the epoch */
export function limitsText({ remaining, moreIn }: Limits, now: number): string {
  if (remaining >= FEW_REQUESTS) return '';
  const time = new Date(now + moreIn * 1000).toLocaleTimeString('en-GB');
  const searches = remaining === 1 ? '1 more search is' : `${remaining} more searches are`;
  return `${searches} possible now. Another becomes possible at ${time}.`;
}
