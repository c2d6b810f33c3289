/** Queries for the weather, and how the address of the page contains them. */

export interface City {
  city: string;
  country: string;
}

/** In decimal degrees. */
export interface Coordinates {
  lat: string;
  lon: string;
}

/** An airport by its code. */
export interface Airport {
  airport: string;
}

/** The place that a user asks for. */
export type Query = City | Coordinates | Airport;

/** Returns the text of a query in the field: "Oslo, Norway", "59.91, 10.75", or "OSL". */
export function nameOf(query: Query): string {
  if ('airport' in query) return query.airport;
  const parts = 'lat' in query ? [query.lat, query.lon] : [query.city, query.country];
  return parts.filter(Boolean).join(', ');
}

/** Returns the query string of an address, with its question mark. */
export function queryStringOf(query: Query): string {
  // Suggestions have more members.
  const { lat, lon, city, country } = query as City & Coordinates;
  if ('airport' in query) return queryOf({ airport: query.airport });
  return queryOf('lat' in query ? { lat, lon } : { city, country });
}

const queryOf = (parameters: Record<string, string>): string =>
  `?${new URLSearchParams(parameters).toString()}`;

/** Returns the path and the query string of a request for a query, after the path of an endpoint. */
export function requestOf(query: Query): string {
  if ('airport' in query) return `/airport${queryOf({ code: query.airport })}`;
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

/** Returns the similar cities that an error response links to: each link is the same request for another city. */
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
