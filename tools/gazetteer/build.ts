import type { GazetteerData } from '../../src/places/gazetteer-file.js';
import { addAirports } from './airports.js';
import { assemble } from './assemble.js';
import { addChineseNames } from './chinese-names.js';
import { readCountryNames } from './country-names.js';
import { addDistrictNames } from './districts.js';
import { readGeonames } from './geonames.js';
import { addLanguages } from './zone-city-names.js';
import { overlayNewerNames } from './newer-names.js';
import { addPostTowns } from './post-towns.js';
import { dropRegionNames } from './ambiguous-names.js';
import { readRegions } from './regions.js';
import { shareForeignNames } from './shared-names.js';

/**
 * Builds the gazetteer from its sources, in 10 to 15 seconds. The result is deterministic.
 *
 * @param report receives the name of each step
 */
export function buildGazetteer(report: (step: string) => void): GazetteerData {
  report('regions');
  const regions = readRegions();
  report('places');
  const known = dropRegionNames(overlayNewerNames(readGeonames()), regions);
  report('towns');
  const withTowns = addPostTowns(addAirports(known, regions));
  report('names');
  const named = addDistrictNames(addLanguages(addChineseNames(withTowns, regions)));
  const shared = shareForeignNames(named);
  report('tables');
  return assemble(shared, readCountryNames(regions), regions);
}
