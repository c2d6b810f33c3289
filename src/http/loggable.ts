import { printable } from '../text/printable.js';

const MAX_LOGGED_LENGTH = 120;

/** Returns client input for the log, printable and with bounded length; null if it is not a text. */
export function loggable(value: unknown): string | null {
  return typeof value === 'string' ? printable(value, MAX_LOGGED_LENGTH) : null;
}
