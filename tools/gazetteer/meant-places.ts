import { foldedNames } from './city-names.js';
import { orderNamesakes, type Namesake } from './namesakes.js';
import type { SourcePlace } from './source-places.js';

/** A folded name in a country, as one text. */
export function nameIn(country: string, folded: string): string {
  return `${country}:${folded}`;
}

/**
 * Which place each name means in its country, as a lookup would say.
 *
 * @param places the most populous first
 * @param asked texts of `nameIn`
 * @returns the index of the place, for each name that there is
 */
export function meantPlaces(places: SourcePlace[], asked: Iterable<string>): Map<string, number> {
  const namesakes = new Map<string, Namesake[]>(Array.from(asked, (name) => [name, []]));
  // Most names are asked for in no country: for them no text is made.
  const inAny = new Set(Array.from(namesakes.keys(), (name) => name.slice(name.indexOf(':') + 1)));
  for (const [value, place] of places.entries()) {
    const names = foldedNames(place);
    for (const folded of names.keys()) {
      if (!inAny.has(folded)) continue;
      const rank = names.get(folded) ?? Infinity;
      namesakes.get(nameIn(place.country, folded))?.push({ value, rank });
    }
  }
  const meant = new Map<string, number>();
  for (const [name, list] of namesakes) {
    orderNamesakes(list, places);
    if (list[0]) meant.set(name, list[0].value);
  }
  return meant;
}
