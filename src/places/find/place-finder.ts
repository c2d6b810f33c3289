import { createCountries, type Countries } from '../names/countries.js';
import { createFindInArea, type FindInArea } from './find-city.js';
import type { GazetteerData } from '../data/gazetteer-file.js';
import { createExactMatch } from './exact-match.js';
import { createKeyTable, type KeyTable } from '../data/key-table.js';
import { createCityDistrict } from './city-district.js';
import { createIsCode, createIsMisspelled } from './misspelled.js';
import { createNameList, type NameList } from '../data/name-list.js';
import { createAreaFilter } from './area-filter.js';
import { createRegionNames, type RegionNames } from '../names/region-names.js';
import { createSimilarNames, type SimilarNames } from '../similar/similar-names.js';
import { createMainTown } from './main-town.js';
import { createWithRemark } from './with-remark.js';
import { createWithoutComma } from './without-comma.js';

/** The lookups by name, and the objects that they share. */
export interface PlaceFinder {
  table: KeyTable;
  names: NameList;
  similar: SimilarNames;
  regionNames: RegionNames;
  countries: Countries;
  findInArea: FindInArea;
}

/** Creates the lookups by name on the loaded data. */
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
  const exactMatch = createExactMatch(data, table);
  const areaFilter = createAreaFilter(data, countries, regionNames, exactMatch);
  const findInArea = createFindInArea(
    exactMatch,
    areaFilter,
    createWithoutComma(data, regionNames, areaFilter),
    createWithRemark(data, names, exactMatch, areaFilter),
    createMainTown(data, countries, regionNames),
    createIsMisspelled(data, names, similar),
    createIsCode(names),
    createCityDistrict(data),
  );
  return { table, names, similar, regionNames, countries, findInArea };
}
