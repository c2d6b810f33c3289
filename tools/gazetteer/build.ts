import type { GazetteerData } from '../../src/places/gazetteer-file.js';
import { addAirports } from './airports.js';
import { assemble } from './assemble.js';
import { addChineseNames } from './chinese-names.js';
import { readCountryNames } from './country-names.js';
import { addDistrictNames } from './districts.js';
import { readGeonames } from './geonames.js';
import { addLanguages } from './more-languages.js';
import { overlayNewerNames } from './newer-names.js';
import { addPostTowns } from './post-towns.js';
import { dropRegionNames } from './read-as-region.js';
import { readRegions } from './regions.js';
import { shareForeignNames } from './shared-names.js';

/**
 * Builds the gazetteer from its sources. The same sources always give the same result.
 *
 * @param say is told what comes next: all takes ten to fifteen seconds
 */
export function buildGazetteer(say: (part: string) => void): GazetteerData {
  say('regions');
  const regions = readRegions();
  say('places');
  const known = dropRegionNames(overlayNewerNames(readGeonames()), regions);
  say('towns');
  const today = addPostTowns(addAirports(known, regions));
  say('names');
  const named = addDistrictNames(addLanguages(addChineseNames(today, regions)));
  const shared = shareForeignNames(named);
  say('tables');
  return assemble(shared, readCountryNames(regions), regions);
}
