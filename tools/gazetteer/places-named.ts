import { fold } from '../../src/weather/fold.js';
import { foldedNames } from './city-names.js';
import type { SourcePlace } from './source-places.js';

/** Gives the places of a country that have a name, each with the rank of that name. */
export type PlacesNamed = (country: string, name: string) => readonly Named[];

export interface Named {
  place: SourcePlace;
  rank: number;
}

/**
 * Looks for names in all places once.
 *
 * @param asked the names that will be asked for
 */
export function placesNamed(places: SourcePlace[], asked: Iterable<string>): PlacesNamed {
  const byName = new Map<string, Named[]>(Array.from(asked, (name) => [fold(name), []]));
  for (const place of places) {
    const names = foldedNames(place);
    for (const folded of names.keys()) {
      byName.get(folded)?.push({ place, rank: names.get(folded) ?? Infinity });
    }
  }
  return (country, name) =>
    (byName.get(fold(name)) ?? []).filter(({ place }) => place.country === country);
}
