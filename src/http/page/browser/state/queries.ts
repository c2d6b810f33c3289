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

/** The place that a user asks for. */
export type Query = City | Coordinates;

/** Returns the text of a query in the field: "Oslo, Norway" or "59.91, 10.75". */
export function nameOf(query: Query): string {
  const parts = 'lat' in query ? [query.lat, query.lon] : [query.city, query.country];
  return parts.filter(Boolean).join(', ');
}

/** Returns the query string of an address, with its question mark. */
export function queryStringOf(query: Query): string {
  const { lat, lon, city, country } = query as City & Coordinates;
  const parameters = 'lat' in query ? { lat, lon } : { city, country };
  return `?${new URLSearchParams(parameters).toString()}`;
}

/** Returns the query in the query string of an address; undefined if there is none. */
export function queryIn(search: string): Query | undefined {
  const { lat, lon = '', city, country = '' } = Object.fromEntries(new URLSearchParams(search));
  if (lat !== undefined) return { lat, lon };
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
