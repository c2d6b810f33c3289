import { printable } from '../text/printable.js';

/** Fields of the log record of a request, in the order in which they are logged. */
export interface RequestLogFields {
  kind?: string;
  /** Absent: the request is not about a location. */
  city?: string | null;
  country?: string | null;
  latitude?: number | null;
  longitude?: number | null;
  /** The code of an airport. */
  code?: string | null | undefined;
  /** The place that was found: `Springfield, Missouri, US`. */
  place?: string;
  cache?: string;
  provider?: string;
  /** The protocol whose message the request contains. Absent: the request is plain HTTP. */
  via?: 'mcp';
}

const MAX_LOGGED_LENGTH = 120;

/** Returns client input for the log, printable and bounded; null if it is not a text. */
export function loggable(value: unknown): string | null {
  return typeof value === 'string' ? printable(value, MAX_LOGGED_LENGTH) : null;
}
