/** Queries for the weather, and how the address of the page contains them. */

/**
 * The place that a user asks for: a city, coordinates in decimal degrees, or an airport by its
 * code. The members are the parameters of the address.
 */
export type Query =
  { city: string; country: string } | { lat: string; lon: string } | { airport: string };
export type City = Extract<Query, { city: string }>;

/** Returns the text of a query in the field: "Oslo, Norway", "59.91, 10.75", or "OSL". */
export const nameOf = (query: Query): string => Object.values(query).filter(Boolean).join(', ');

/** Returns the query string of an address, with its question mark. */
export const queryStringOf = (query: Query): string => `?${new URLSearchParams(query).toString()}`;

/** Returns the path of a request, after the path of an endpoint, with the query string. */
export function requestOf(query: Query): string {
  if ('airport' in query) return `/airport${queryStringOf(query).replace('airport', 'code')}`;
  return `${'lat' in query ? '/coordinates' : ''}${queryStringOf(query)}`;
}

/** Returns the query in the query string of an address; undefined if there is none. */
export function queryIn(search: string): Query | undefined {
  const parameters = Object.fromEntries(new URLSearchParams(search));
  const { lat, lon = '', city, country = '', airport } = parameters;
  if (lat !== undefined) return { lat, lon };
  if (airport !== undefined) return { airport };
  return city === undefined ? undefined : { city, country };
}

/** Returns the similar cities of an error response. Each link is the same request for a city. */
export function linkedCities(link: string): City[] {
  return [...link.matchAll(/<[^>?]*(\?[^>]*)>/g)].flatMap(([, search = '']) => {
    const query = queryIn(search);
    return query && 'city' in query ? [query] : [];
  });
}

/** Removes case and accents, for comparisons. */
export function foldName(text: string): string {
  return text.trim().normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
