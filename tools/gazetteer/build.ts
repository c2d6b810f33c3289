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

/** Builds the gazetteer from its sources. The same sources always give the same result. */
export function buildGazetteer(): GazetteerData {
  const regions = readRegions();
  const known = dropRegionNames(overlayNewerNames(readGeonames()), regions);
  const today = addPostTowns(addAirports(known, regions));
  const named = addDistrictNames(addLanguages(addChineseNames(today, regions)));
  return assemble(shareForeignNames(named), readCountryNames(regions), regions);
}
