import { fold } from '../../src/places/names/fold.js';
import { eachName, numberOf } from './city-names.js';
import { orderNamesakes, type Namesake } from './namesakes.js';
import type { SourcePlace } from './source-places.js';

/** Returns the places of a country that have a name, each with the rank of the name. */
export type PlacesNamed = (country: string, name: string) => readonly NamedPlace[];

export interface NamedPlace extends Namesake {
  place: SourcePlace;
}

/**
 * Finds the places of several names in one pass over all places.
 *
 * @param names the names that the result can be called with
 */
export function placesNamed(places: SourcePlace[], names: Iterable<string>): PlacesNamed {
  const byName = new Map<number, NamedPlace[]>();
  for (const name of names) byName.set(numberOf(fold(name)), []);
  for (const [value, place] of places.entries()) {
    eachName(place, (name, rank) => byName.get(name)?.push({ value, place, rank }));
  }
  return (country, name) =>
    (byName.get(numberOf(fold(name))) ?? []).filter(({ place }) => place.country === country);
}

/**
 * Creates the function that finds the index of the place of a name in a country, as a lookup does.
 *
 * @param places sorted by population in descending order
 * @param names the names that the function can be called with
 */
export function meantPlaces(
  places: SourcePlace[],
  names: Iterable<string>,
): (country: string, name: string) => number | undefined {
  const named = placesNamed(places, names);
  return (country, name) => {
    const namesakes = [...named(country, name)];
    orderNamesakes(namesakes, places);
    return namesakes[0]?.value;
  };
}
