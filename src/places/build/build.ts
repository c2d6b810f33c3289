import type { GazetteerData } from '../gazetteer-file.js';
import { assemble } from './assemble.js';
import { readCountryNames } from './country-names.js';
import { readDivisions } from './divisions.js';
import { readGeonames } from './geonames.js';
import { overlayNewerNames } from './newer-names.js';

/** All of the gazetteer from its sources; the same sources always give the same. */
export function buildGazetteer(): GazetteerData {
  const divisions = readDivisions();
  return assemble(overlayNewerNames(readGeonames()), readCountryNames(divisions), divisions);
}
