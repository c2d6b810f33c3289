/** A populated place of the sources, before it becomes a row of the gazetteer. */
export interface SourcePlace {
  /** The name to show. */
  name: string;
  /** The place's former names, and its ASCII form. */
  formerNames: string[];
  alternateNames: string[];
  latitude: number;
  longitude: number;
  /** ISO 3166-1 alpha-2. */
  country: string;
  /** GeoNames code of the first-level division, without the country; may be empty. */
  division: string;
  /** GeoNames code of the second-level division; may be empty. */
  district: string;
  /** The population for ranking, see `people.ts`; 0 when unknown. */
  population: number;
  /** How many names GeoNames has, in all languages: the better a place is known, the more. */
  fame: number;
  /** The capital of its country. */
  capital: boolean;
  /** A part of a city. It is found by a name that no other place has, and never by a point. */
  section: boolean;
}
