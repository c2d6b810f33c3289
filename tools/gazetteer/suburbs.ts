import { groupBy } from './group-by.js';
import { planarDistance } from './planar-distance.js';
import type { SourcePlace } from './source-places.js';

/** Least population of a metropolis. */
const METROPOLIS = 1_000_000;
/** A suburb has at most this share of the metropolis's population … */
const SHARE = 1 / 50;
/** … at most this population … */
const MOST_PEOPLE = 50_000;
/** … and is within this distance. */
const SUBURB_KM = 20;

const metropolises = new WeakMap<SourcePlace[], Map<string, SourcePlace[]>>();

/**
 * Returns whether a place is a suburb of a metropolis: users do not mean the Manali near Chennai.
 * @param places all places
 */
export function isSuburb(place: SourcePlace | undefined, places: SourcePlace[]): boolean {
  if (!place || place.population > MOST_PEOPLE) return false;
  let byCountry = metropolises.get(places);
  if (!byCountry) {
    const large = places.filter(({ population }) => population >= METROPOLIS);
    byCountry = groupBy(large, ({ country }) => country);
    metropolises.set(places, byCountry);
  }
  return (byCountry.get(place.country) ?? []).some(
    (city) =>
      place.population <= SHARE * city.population && planarDistance(place, city) <= SUBURB_KM,
  );
}
