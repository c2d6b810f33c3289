import { createCountries } from '../names/countries.js';
import { createFindInArea } from './find-city.js';
import type { GazetteerData } from '../data/gazetteer-file.js';
import { createExactMatch } from './exact-match.js';
import { createKeyTable } from '../data/key-table.js';
import { createIsMisspelled } from './misspelled.js';
import { createNameList } from '../data/name-list.js';
import { createAreaFilter } from './area-filter.js';
import { createRegionNames } from '../names/region-names.js';
import { createSimilarNames } from '../similar/similar-names.js';
import { createMainTown } from './main-town.js';
import { createWithRemark } from './with-remark.js';
import { createWithoutComma } from './without-comma.js';

/** Creates the lookups by name, and the objects that they share, on the loaded data. */
export function createPlaceFinder(data: GazetteerData) {
  const table = createKeyTable(data);
  const names = createNameList(data);
  const similar = createSimilarNames(data, names);
  const regionNames = createRegionNames(table);
  const countries = createCountries(data, table, regionNames);
  const exactMatch = createExactMatch(data, table);
  const areaFilter = createAreaFilter(data, countries, regionNames, exactMatch);
  const findInArea = createFindInArea(
    data,
    names,
    exactMatch,
    areaFilter,
    createWithoutComma(data, regionNames, areaFilter),
    createWithRemark(data, names, exactMatch, areaFilter),
    createMainTown(data, countries, regionNames),
    createIsMisspelled(data, names, similar),
  );
  return { table, names, similar, countries, areaFilter, findInArea };
}
