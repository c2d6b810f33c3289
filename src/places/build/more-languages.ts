import { fold } from '../../weather/fold.js';
import { foldedNames } from './city-names.js';
import { orderNamesakes, type Namesake } from './namesakes.js';
import type { SourcePlace } from './source-places.js';
import { readZoneCities } from './zone-cities.js';

/** Adds the names that the cities of time zones have in all languages of CLDR. */
export function addLanguages(sources: SourcePlace[]): SourcePlace[] {
  // The order of namesakes is that of their numbers.
  const places = [...sources].sort((a, b) => b.population - a.population);
  const cities = readZoneCities();
  const keyOf = (country: string, folded: string): string => `${country}:${folded}`;
  const namesakes = new Map<string, Namesake[]>(
    cities.map(({ country, english }) => [keyOf(country, fold(english)), []]),
  );
  for (const [value, place] of places.entries()) {
    for (const [folded, rank] of foldedNames(place)) {
      namesakes.get(keyOf(place.country, folded))?.push({ value, rank });
    }
  }

  const result = [...places];
  for (const { country, english, names } of cities) {
    const list = namesakes.get(keyOf(country, fold(english))) ?? [];
    orderNamesakes(list, places);
    const [best] = list;
    const place = best && result[best.value];
    if (!place) continue;
    const alternateNames = new Set([...place.alternateNames, ...names.map(([, name]) => name)]);
    result[best.value] = { ...place, alternateNames: [...alternateNames] };
  }
  return result;
}
