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
  const { lat, lon, city, country } = query as City & Point;
  const parameters = 'lat' in query ? { lat, lon } : { city, country };
  return `?${new URLSearchParams(parameters).toString()}`;
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

const NUMBER = '[+-]?(?:\\d+\\.?\\d*|\\.\\d+)';
/** Two numbers, each with an optional degree sign and letter: `52.5, 13.4`, `33.87° S 151.2° E`. */
const POINT = new RegExp(
  `^(${NUMBER})\\s*°?\\s*([NS])?(?:\\s*[,;]\\s*|\\s+)(${NUMBER})\\s*°?\\s*([EW])?$`,
  'i',
);

/** Returns the point that a text means, with its latitude first; undefined if the text is not a pair of numbers. */
export function pointIn(text: string): Point | undefined {
  const [, lat, northOrSouth, lon, eastOrWest] = POINT.exec(text.trim().replaceAll('−', '-')) ?? [];
  if (lat === undefined || lon === undefined) return undefined;
  return { lat: withSign(lat, northOrSouth, 'S'), lon: withSign(lon, eastOrWest, 'W') };
}

function withSign(number: string, letter: string | undefined, negative: string): string {
  return letter?.toUpperCase() === negative ? String(-Number(number)) : number;
}

/** Returns the similar cities that an error response links to: each link is the same request for another city. */
export function linkedCities(link: string): City[] {
  return [...link.matchAll(/<[^>?]*(\?[^>]*)>/g)].flatMap(([, search = '']) => {
    const query = queryIn(search);
    return query && 'city' in query ? [query] : [];
  });
}

/** Removes case and accents, for comparisons. */
export function fold(text: string): string {
  return text.trim().normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

/** The service stores this number of searches. */
const MAX_SEARCHES = 10;

/** Joins two lists of searches without duplicates. Of two spellings, the one in the first list stays. */
export function mergeSearches(newer: City[], older: City[]): City[] {
  const keyOf = ({ city, country }: City) => fold(`${city}|${country}`);
  const known = new Set(newer.map(keyOf));
  return [...newer, ...older.filter((city) => !known.has(keyOf(city)))].slice(0, MAX_SEARCHES);
}
