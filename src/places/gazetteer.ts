import { LRUCache } from 'lru-cache';
import type { CityMatch, Gazetteer, Place } from '../weather/types.js';
import { createCityText } from './city-text.js';
import { createCountries } from './countries.js';
import { createFindCity, createPlaceInArea } from './find-city.js';
import { readGazetteerFile, type CountryRecord, type GazetteerData } from './gazetteer-file.js';
import { createInArea } from './in-area.js';
import { createKeyTable } from './key-table.js';
import { createLiesIn } from './lies-in.js';
import { createNameList } from './name-list.js';
import { createNearNames } from './near-names.js';
import { nameOf } from './name-of.js';
import { createNearest } from './nearest.js';
import { createPartOf } from './part-of.js';
import { createPointName } from './point-name.js';
import { createRegionNames } from './region-names.js';
import { loadRegions } from './regions.js';
import { createSmallArea } from './small-area.js';
import { createSuggest } from './suggest.js';
import { createWithoutComma } from './without-comma.js';

export { GAZETTEER_FILE } from './gazetteer-file.js';

/** How many answers are remembered. A repeated question then takes no part of a cache hit's time. */
const REMEMBERED = 1000;

/**
 * Opens the gazetteer: it finds places by name and by point, in this process and without I/O.
 * Opening takes well under half a second and about 60 MB. Importing this file loads no data.
 * Places: GeoNames, CC BY 4.0; borders: country-coder.
 *
 * @throws Error when the file is missing, damaged or of another version; it says to run the build
 */
export function loadGazetteer(file: URL | string): Gazetteer {
  const data = readGazetteerFile(file);
  const table = createKeyTable(data);
  const regionNames = createRegionNames(table);
  const countries = createCountries(
    data.countries,
    data.areas,
    table,
    regionNames,
    countriesOfRegions(data),
  );
  const inArea = createInArea(data, table);
  const partOf = createPartOf(data, countries, regionNames, inArea);
  const placeInArea = createPlaceInArea(
    inArea,
    partOf,
    createWithoutComma(data, regionNames, partOf),
    createSmallArea(data, countries, regionNames),
  );
  const names = createNameList(data);
  const findCity = createFindCity(countries, placeInArea, createNearNames(data, names));
  const cityText = createCityText(data, countries, table, placeInArea);
  const pointName = createPointName(data, findCity, cityText);
  const suggest = createSuggest(
    data,
    names,
    countries,
    createLiesIn(data, countries, regionNames),
    cityText,
  );
  const nearest = createNearest(data, loadRegions());
  return {
    findCity: remembering(
      (city, country) => `${city}\n${country}`,
      (city, country): CityMatch => {
        const match = findCity(city, country);
        return typeof match === 'number' ? { kind: 'found', place: placeAt(data, match) } : match;
      },
    ),
    nearest: remembering(
      ({ latitude, longitude }) => `${latitude} ${longitude}`,
      (point) => {
        const place = nearest(point);
        if (place === undefined) return undefined;
        return { ...placeAt(data, place), city: pointName(place) };
      },
    ),
    suggest(text, limit, country) {
      return suggest(text, limit, country)?.map(({ place, city }) => ({
        ...placeAt(data, place),
        city,
        countryCode: countryOf(data, place)?.code ?? '',
        region: data.regions[(data.division[place] ?? 0) - 1],
      }));
    },
  };
}

/** A pure function that remembers its last answers: most questions are asked again and again. */
function remembering<A extends unknown[], R extends object | undefined>(
  keyOf: (...question: A) => string,
  answer: (...question: A) => R,
): (...question: A) => R {
  const remembered = new LRUCache<string, { answer: R }>({ max: REMEMBERED });
  return (...question) => {
    const key = keyOf(...question);
    const known = remembered.get(key);
    if (known) return known.answer;
    const found = { answer: answer(...question) };
    remembered.set(key, found);
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

/** The country's code of each region, by its number. */
function countriesOfRegions(data: GazetteerData): (region: number) => string {
  const countries = new Uint8Array(data.regions.length + 1);
  // Not with `entries()`: before the loop is compiled, that takes 14 ms of the start.
  for (let place = 0; place < data.country.length; place++) {
    const country = data.country[place] ?? 0;
    countries[data.division[place] ?? 0] = country;
    countries[data.district[place] ?? 0] = country;
  }
  return (region) => data.countries[countries[region] ?? -1]?.code ?? '';
}

function countryOf(data: GazetteerData, place: number): CountryRecord | undefined {
  return data.countries[data.country[place] ?? -1];
}
