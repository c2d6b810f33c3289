import { withNames } from './city-names.js';
import { meantPlaces } from './places-named.js';
import type { SourcePlace } from './source-places.js';
import extract from './zone-cities/zone-cities.json' with { type: 'json' };

/** Adds the names of the cities of time zones in all languages of CLDR. */
export function addLanguages(sources: SourcePlace[]): SourcePlace[] {
  const places = [...sources].sort((a, b) => b.population - a.population);
  const meant = meantPlaces(
    places,
    extract.cities.map(({ english }) => english),
  );
  for (const { country, english, names } of extract.cities) {
    const index = meant(country, english) ?? -1;
    const place = places[index];
    if (place) places[index] = withNames(place, names.map(nameOf));
  }
  return places;
}

/** The second item of a row has the locales that use the name. */
function nameOf([name = '']: string[]): string {
  return name;
}
