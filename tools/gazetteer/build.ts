import type { GazetteerData } from '../../src/places/gazetteer-file.js';
import { assemble } from './assemble.js';
import { readCountryNames } from './country-names.js';
import { readDivisions } from './divisions.js';
import { readGeonames } from './geonames.js';
import { addLanguages } from './more-languages.js';
import { overlayNewerNames } from './newer-names.js';
import { shareForeignNames } from './shared-names.js';

/** Builds the gazetteer from its sources. The same sources always give the same result. */
export function buildGazetteer(): GazetteerData {
  const divisions = readDivisions();
  const places = shareForeignNames(addLanguages(overlayNewerNames(readGeonames())));
  return assemble(places, readCountryNames(divisions), divisions);
}
