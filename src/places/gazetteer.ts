import { createLru } from '../lru.js';
import { MAX_NEAR_ENTRIES } from '../weather/cache-entry.js';
import type { CityMatch, Gazetteer, Place, Point } from '../weather/types.js';
import { createCityText } from './city-text.js';
import { createFindCity } from './find-city.js';
import { readGazetteerFile, type CountryRecord, type GazetteerData } from './gazetteer-file.js';
import { createLiesIn } from './lies-in.js';
import { createNearNames } from './near-names.js';
import { nameOf } from './name-of.js';
import { createNearest } from './nearest.js';
import { createPlaceFinder } from './place-finder.js';
import { createPointName } from './point-name.js';
import { createRegions } from './regions.js';
import { createSuggest } from './suggest.js';

export { GAZETTEER_FILE } from './gazetteer-file.js';

/** Answers to longer questions, in UTF-16 units, are not remembered: nobody asks them twice. */
const LONGEST_REMEMBERED = 100;

/**
 * Opens the gazetteer: it finds places by name and by point, in this process and without I/O.
 * Opening takes well under half a second and about 60 MB. Importing this file loads no data.
 * Places: GeoNames, CC BY 4.0; borders: country-coder.
 *
 * @throws Error when the file is missing, damaged or of another version; it says to run the build
 */
export function loadGazetteer(file: URL | string): Gazetteer {
  const data = readGazetteerFile(file);
  const { table, names, similar, regionNames, countries, placeInArea } = createPlaceFinder(data);
  const findCity = createFindCity(countries, placeInArea, createNearNames(data, names, similar));
  const cityText = createCityText(data, countries, table, placeInArea);
  const pointName = createPointName(data, findCity, cityText);
  const suggest = createSuggest(
    data,
    names,
    countries,
    createLiesIn(data, countries, regionNames),
    cityText,
  );
  const nearest = createNearest(data, createRegions());
  return {
    findCity: remembering(
      (city, country) => `${city}\n${country}`,
      (city, country): CityMatch => {
        const match = findCity(city, country);
        return typeof match === 'number' ? { kind: 'found', place: placeAt(data, match) } : match;
      },
    ),
    nearest: remembering(({ latitude, longitude }) => `${latitude} ${longitude}`, named),
    suggest(text, limit, country) {
      return suggest(text, limit, country)?.map(({ place, city }) => ({
        ...placeAt(data, place),
        city,
        countryCode: countryOf(data, place)?.code ?? '',
        region: data.regions[(data.division[place] ?? 0) - 1],
      }));
    },
  };
  /** The nearest place with a name that leads back to it. */
  function named(point: Point): Place | undefined {
    const nameless = new Set<number>();
    for (;;) {
      const place = nearest(point, nameless);
      if (place === undefined) return undefined;
      const city = pointName(place);
      if (city !== undefined) return { ...placeAt(data, place), city };
      nameless.add(place);
    }
  }
}

/** A pure function that remembers its last answers: a repeated question takes no part of a cache hit's time. */
function remembering<A extends unknown[], R extends object | undefined>(
  keyOf: (...question: A) => string,
  answer: (...question: A) => R,
): (...question: A) => R {
  const remembered = createLru<string, { answer: R }>(MAX_NEAR_ENTRIES);
  return (...question) => {
    const key = keyOf(...question);
    const known = remembered.get(key);
    if (known) return known.answer;
    const found = { answer: answer(...question) };
    if (key.length <= LONGEST_REMEMBERED) remembered.set(key, found);
    return found.answer;
  };
}

function placeAt(data: GazetteerData, place: number): Place {
  return {
    city: nameOf(data, place),
    country: countryOf(data, place)?.name ?? '',
    latitude: (data.latitude[place] ?? 0) / 100_000,
    longitude: (data.longitude[place] ?? 0) / 100_000,
  };
}

function countryOf(data: GazetteerData, place: number): CountryRecord | undefined {
  return data.countries[data.country[place] ?? -1];
}
