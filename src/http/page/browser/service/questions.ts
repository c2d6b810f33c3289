/** Questions for the weather, and how the address of the page contains them. */

export interface City {
  city: string;
  country: string;
}

/** The location of a request: a city, or a point in decimal degrees. */
export type Question = City | { lat: string; lon: string };

export const nameOf = ({ city, country }: City) => [city, country].filter(Boolean).join(', ');

/** Returns the query string of a question, with its question mark. */
export function queryOf(question: Question): string {
  return `?${new URLSearchParams({ ...question }).toString()}`;
}

/** Returns the question in a query string; undefined if there is none. */
export function questionIn(query: string): Question | undefined {
  const parameters = new URLSearchParams(query);
  const value = (name: string) => parameters.get(name) ?? '';
  if (parameters.has('lat') || parameters.has('lon')) {
    return { lat: value('lat'), lon: value('lon') };
  }
  if (parameters.has('city') || parameters.has('country')) {
    return { city: value('city'), country: value('country') };
  }
  return undefined;
}
