import { fold } from '../../src/places/names/fold.js';
import { withNames } from './city-names.js';
import { namesInMainLanguages } from './country-labels.js';
import { ISLANDS } from './islands.js';
import { meantPlaces } from './places-named.js';
import type { Regions } from './regions.js';
import type { SourcePlace } from './source-places.js';
import extract from './zone-cities/zone-cities.json' with { type: 'json' };

/**
 * Adds the names of the cities of time zones in all languages of CLDR, and of islands in the table
 * to their main towns. A zone that is named after an island (Tahiti) names the capital or the
 * largest place with this time zone.
 */
export function addLanguages(sources: SourcePlace[], regions: Regions): SourcePlace[] {
  const places = [...sources].sort((a, b) => b.population - a.population);
  const meant = meantPlaces(places, [
    ...extract.cities.map(({ english }) => english),
    ...ISLANDS.map(({ town }) => town),
  ]);
  const add = (index = -1, names: string[]): void => {
    const place = places[index];
    if (place) places[index] = withNames(place, names);
  };
  for (const { country, english, names } of extract.cities) {
    const city = meant(country, english);
    const all = names.map(nameOf);
    if (city !== undefined) add(city, all);
    else if (!isCountry(country, english)) {
      // A region has its own main town: the Azores.
      const islandNames = [english, ...all].filter(
        (name) => regions.named(country, fold(name)).length === 0,
      );
      add(mainTownOfZone(places, country, english), islandNames);
    }
  }
  for (const { country, town, names } of ISLANDS) add(meant(country, town), names);
  return places;
}

/** The row's second item has the locales of the name. CLDR abbreviates "island" in Russian. */
function nameOf([name = '']: string[]): string {
  return name.replace(/^о-в /u, 'Остров ');
}

function isCountry(country: string, name: string): boolean {
  return namesInMainLanguages(country).some((each) => fold(each).startsWith(fold(name)));
}

/** Returns a time zone's main town. Its IANA name ends with a name's beginning: Pacific/Easter. */
function mainTownOfZone(places: SourcePlace[], country: string, name: string): number {
  const isIn = ({ country: own, timeZone }: SourcePlace): boolean => {
    const zone = fold(timeZone.split('/').at(-1) ?? '');
    return own === country && zone !== '' && fold(name).startsWith(zone);
  };
  const capital = places.findIndex((place) => place.capital && isIn(place));
  return capital >= 0 ? capital : places.findIndex(isIn);
}
