import { withNames } from './city-names.js';
import { meantPlaces } from './places-named.js';
import { scriptOf } from './scripts.js';
import type { SourcePlace } from './source-places.js';

/** The larger place must have this many times the population, or users may mean the smaller one. */
const FACTOR = 5;
/** A name without Latin letters, and without a comma or brackets before its state or region. */
const FOREIGN = /^(?!.*\p{Script=Latin})(?=.*\p{L})[\p{L}\p{M} \-'’・·\u200c]+$/u;
/** A fast check that excludes most names. */
const BEGINS_IN_LATIN = /^[A-Za-z]/;
/** "Frankfurt (Oder)" */
const BRACKETS = / *\(.*\)$/;
const WORD_BREAK = /[ \-・·]+/;

/**
 * Adds names in foreign scripts to the place that the English name means: GeoNames has 华盛顿 only
 * for a Washington in Utah, and フランクフルト only for Frankfurt (Oder). Leaves out countries with
 * another script than Latin: there, places of one English name often have different native names.
 */
export function shareForeignNames(sources: SourcePlace[]): SourcePlace[] {
  const places = [...sources].sort((a, b) => b.population - a.population);
  const named = places
    .filter(({ country }) => scriptOf(country) === 'Latn')
    .flatMap((place) => {
      if (place.alternateNames.every((name) => BEGINS_IN_LATIN.test(name))) return [];
      const english = place.name.replace(BRACKETS, '');
      const words = english.split(WORD_BREAK).length;
      const names = place.alternateNames.filter(
        (name) =>
          !BEGINS_IN_LATIN.test(name) &&
          FOREIGN.test(name) &&
          name.split(WORD_BREAK).length <= words,
      );
      return names.length > 0 ? [{ place, english, names }] : [];
    });
  const meant = meantPlaces(
    places,
    named.map(({ english }) => english),
  );
  for (const { place, english, names } of named) {
    const index = meant(place.country, english) ?? -1;
    const larger = places[index];
    if (!larger || larger.population < FACTOR * place.population) continue;
    // Münster is not Munster, although both have the same folded form.
    if (!larger.name.startsWith(english)) continue;
    places[index] = withNames(larger, names);
  }
  return places;
}
