import { fold } from '../../src/weather/fold.js';
import { meantPlaces, nameIn } from './meant-places.js';
import type { SourcePlace } from './source-places.js';
import { readZoneCities } from './zone-cities.js';

/** Adds the names that the cities of time zones have in all languages of CLDR. */
export function addLanguages(sources: SourcePlace[]): SourcePlace[] {
  const places = [...sources].sort((a, b) => b.population - a.population);
  const cities = readZoneCities().map((city) => ({
    key: nameIn(city.country, fold(city.english)),
    names: city.names.map(({ name }) => name),
  }));
  const meant = meantPlaces(
    places,
    cities.map(({ key }) => key),
  );
  for (const { key, names } of cities) {
    const index = meant.get(key) ?? -1;
    const place = places[index];
    if (!place) continue;
    const alternateNames = [...new Set([...place.alternateNames, ...names])];
    places[index] = { ...place, alternateNames };
  }
  return places;
}
