import { fold } from '../../src/places/names/fold.js';
import type { Regions } from './regions.js';
import { sourcePlace, type SourcePlace } from './source-places.js';

/** Countries in which people write a town and its state without a comma, the state last. */
const COUNTRIES = new Set(['US', 'CA', 'AU', 'GB']);
/** Words of the longest region: "New South Wales". */
const MOST_WORDS = 3;

/**
 * Removes other names of places that read like a town with its region: Pueblo Colorado is a former
 * name of Ganado in Arizona, but users mean the Pueblo in Colorado.
 */
export function dropRegionNames(places: SourcePlace[], regions: Regions): SourcePlace[] {
  const towns = new Set<string>();
  for (const { name, country, division } of places) {
    if (COUNTRIES.has(country)) towns.add(`${regions.first(country, division)}:${fold(name)}`);
  }
  return places.map((place) => {
    if (!COUNTRIES.has(place.country)) return place;
    const own = fold(place.name);
    const isOther = (name: string): boolean => {
      const words = name.split(' ');
      for (let n = 1; n <= Math.min(MOST_WORDS, words.length - 1); n++) {
        const town = fold(words.slice(0, -n).join(' '));
        const region = fold(words.slice(-n).join(' '));
        const numbers = regions.named(place.country, region);
        if (town !== own && numbers.some((number) => towns.has(`${number}:${town}`))) return true;
      }
      return false;
    };
    const alternateNames = place.alternateNames.filter((name) => !isOther(name));
    return sourcePlace({ ...place, alternateNames });
  });
}
