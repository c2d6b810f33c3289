/** Queries for the weather, and how the address of the page contains them. */

export interface City {
  city: string;
  country: string;
}

/** A point in decimal degrees. */
export interface Point {
  lat: string;
  lon: string;
}

/** The place that a user asks for. */
export type Query = City | Point;

/** Returns the text of a query in the field: "Oslo, Norway" or "59.91, 10.75". */
export function nameOf(query: Query): string {
  const parts = 'lat' in query ? [query.lat, query.lon] : [query.city, query.country];
  return parts.filter(Boolean).join(', ');
}

/** Returns the query string of an address, with its question mark. */
export function searchOf(query: Query): string {
  return `?${new URLSearchParams({ ...query }).toString()}`;
}

/** Returns the query in the query string of an address; undefined if there is none. */
export function queryIn(search: string): Query | undefined {
  const parameters = new URLSearchParams(search);
  const value = (name: string) => parameters.get(name) ?? '';
  if (parameters.has('lat') || parameters.has('lon')) {
    return { lat: value('lat'), lon: value('lon') };
  }
  if (parameters.has('city') || parameters.has('country')) {
    return { city: value('city'), country: value('country') };
  }
  return undefined;
}
