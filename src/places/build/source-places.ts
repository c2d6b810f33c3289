/** A populated place as the sources give it, before it becomes a row of the gazetteer. */
export interface SourcePlace {
  /** The name to show. */
  name: string;
  /** What the place was called before, and its ASCII form. */
  formerNames: string[];
  alternateNames: string[];
  latitude: number;
  longitude: number;
  /** ISO 3166-1 alpha-2. */
  country: string;
  /** GeoNames code of the first-level division, without the country; may be empty. */
  division: string;
  /** As ranking uses it, see `people.ts`; 0 when unknown. */
  population: number;
  /** A part of a city: found by name when nothing else has that name, never by a point. */
  section: boolean;
}
