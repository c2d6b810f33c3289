import { withNames } from './city-names.js';
import { meantPlaces } from './places-named.js';
import type { SourcePlace } from './source-places.js';
import { readZoneCities } from './zone-cities.js';

/** Adds the names of the cities of time zones in all languages of CLDR. */
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
    places[index] = withNames(
      place,
      names.map(({ name }) => name),
    );
  }
  return places;
}
