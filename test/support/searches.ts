import { attempt, type Reply } from './load.js';

/** The path of a search for a city of Germany. */
export const searchPath = (city: string) => `/api/v1/weather?city=${city}&country=Germany`;

/** Sends a search for a city of Germany to a replica. Without a cookie, the client is new. */
export function searchAt(
  url: string,
  city: string,
  { cookie = '', headers = {} }: { cookie?: string; headers?: Record<string, string> } = {},
): Promise<Reply> {
  return attempt(url + searchPath(city), { headers: { ...headers, ...(cookie && { cookie }) } });
}
