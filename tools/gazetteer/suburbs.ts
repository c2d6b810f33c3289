import { groupBy } from './group-by.js';
import type { SourcePlace } from './source-places.js';

/** A city of at least so many people … */
const METROPOLIS = 1_000_000;
/** … has as suburbs what has at most this part of its population … */
const SHARE = 1 / 50;
/** … and at most so many people: a larger one is a city of its own … */
const MOST_PEOPLE = 50_000;
/** … and lies at most this far away. */
const SUBURB_KM = 20;

const metropolises = new WeakMap<SourcePlace[], Map<string, SourcePlace[]>>();

/**
 * Whether a place is a suburb of a city of millions: Manali near Chennai is not the Manali that people mean.
 *
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
    (city) => place.population <= SHARE * city.population && kilometres(place, city) <= SUBURB_KM,
  );
}

/** On a flat earth: right to one percent over these few kilometres. */
function kilometres(a: SourcePlace, b: SourcePlace): number {
  const dx = (a.longitude - b.longitude) * Math.cos((a.latitude * Math.PI) / 180);
  return 111.2 * Math.hypot(a.latitude - b.latitude, dx);
}
