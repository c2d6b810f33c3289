import { fold } from '../../src/places/fold.js';
import { eachName, nameTexts, numberOf } from './city-names.js';
import { orderNamesakes, type Namesake } from './namesakes.js';
import type { SourcePlace } from './source-places.js';

/** Gives the places of a country that have a name, each with the rank of that name. */
export type PlacesNamed = (country: string, name: string) => readonly Named[];

export interface Named extends Namesake {
  place: SourcePlace;
}

/**
 * Looks for names in all places once.
 *
 * @param asked the names that will be asked for
 */
export function placesNamed(places: SourcePlace[], asked: Iterable<string>): PlacesNamed {
  const numbers = Array.from(asked, (name) => numberOf(fold(name)));
  // One with holes would be a slow table.
  const byName = Array.from({ length: nameTexts().length }, (): Named[] | undefined => undefined);
  for (const number of numbers) byName[number] = [];
  for (const [value, place] of places.entries()) {
    eachName(place, (name, rank) => byName[name]?.push({ value, place, rank }));
  }
  return (country, name) =>
    (byName[numberOf(fold(name))] ?? []).filter(({ place }) => place.country === country);
}

/**
 * Gives the place that a name means in its country, as a lookup would say: its index.
 *
 * @param places the most populous first
 * @param asked the names that will be asked for
 */
export function meantPlaces(
  places: SourcePlace[],
  asked: Iterable<string>,
): (country: string, name: string) => number | undefined {
  const named = placesNamed(places, asked);
  return (country, name) => {
    const namesakes = [...named(country, name)];
    orderNamesakes(namesakes, places);
    return namesakes[0]?.value;
  };
}
