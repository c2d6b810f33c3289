import { meantPlaces } from './places-named.js';
import { sourcePlace, type SourcePlace } from './source-places.js';
import { readZoneCities } from './zone-cities.js';

/** Adds the names that the cities of time zones have in all languages of CLDR. */
export function addLanguages(sources: SourcePlace[]): SourcePlace[] {
  const places = [...sources].sort((a, b) => b.population - a.population);
  const cities = readZoneCities();
  const meant = meantPlaces(
    places,
    cities.map(({ english }) => english),
  );
  for (const { country, english, names } of cities) {
    const index = meant(country, english) ?? -1;
    const place = places[index];
    if (!place) continue;
    const more = names.map(({ name }) => name);
    const alternateNames = [...new Set([...place.alternateNames, ...more])];
    places[index] = sourcePlace({ ...place, alternateNames });
  }
  return places;
}
