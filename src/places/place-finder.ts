import { createCountries, type Countries } from './countries.js';
import { createPlaceInArea, type PlaceInArea } from './find-city.js';
import type { GazetteerData } from './gazetteer-file.js';
import { createInArea } from './in-area.js';
import { createKeyTable, type KeyTable } from './key-table.js';
import { createIsCode, createIsMisspelt } from './misspelt.js';
import { createNameList, type NameList } from './name-list.js';
import { createPartOf } from './part-of.js';
import { createRegionNames, type RegionNames } from './region-names.js';
import { createSimilarNames, type SimilarNames } from './similar-names.js';
import { createSmallArea } from './small-area.js';
import { createWithoutComma } from './without-comma.js';

/** What finds places by their names, and what it is made of. */
export interface PlaceFinder {
  table: KeyTable;
  names: NameList;
  similar: SimilarNames;
  regionNames: RegionNames;
  countries: Countries;
  placeInArea: PlaceInArea;
}

/** Puts together what finds a place by its name in an area. */
export function createPlaceFinder(data: GazetteerData): PlaceFinder {
  const table = createKeyTable(data);
  const names = createNameList(data);
  const similar = createSimilarNames(data, names);
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
    createIsMisspelt(data, names, similar),
    createIsCode(names),
  );
  return { table, names, similar, regionNames, countries, placeInArea };
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
