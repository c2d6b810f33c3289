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
    (region) => data.countries[data.regionCountry[region] ?? -1]?.code ?? '',
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
