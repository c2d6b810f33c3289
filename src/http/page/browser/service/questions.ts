/** Questions for the weather, and how the address of the page contains them. */

export interface City {
  city: string;
  country: string;
}

/** A point in decimal degrees. */
export interface Point {
  lat: string;
  lon: string;
}

/** The location of a request. */
export type Question = City | Point;

/** Returns the text of a question in the field: "Oslo, Norway" or "59.91, 10.75". */
export function nameOf(question: Question): string {
  const parts =
    'lat' in question ? [question.lat, question.lon] : [question.city, question.country];
  return parts.filter(Boolean).join(', ');
}

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
