import { attempt, type Reply } from './load.js';

/** The client that sends a search. */
interface From {
  /** The cookie of its session. Undefined: a new client. */
  cookie?: string;
  headers?: Record<string, string>;
}

/** The path of a search for a city of Germany. */
export const searchPath = (city: string) => `/api/v1/weather?city=${city}&country=Germany`;

/** Sends a search for a city of Germany. @param url of a replica */
export function searchAt(url: string, city: string, from: From = {}): Promise<Reply> {
  const { cookie = '', headers = {} } = from;
  return attempt(url + searchPath(city), { headers: { ...headers, ...(cookie && { cookie }) } });
}
