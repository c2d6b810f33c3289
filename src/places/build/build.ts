import type { GazetteerData } from '../gazetteer-file.js';
import { assemble } from './assemble.js';
import { readCountryNames } from './country-names.js';
import { readDivisions } from './divisions.js';
import { readGeonames } from './geonames.js';
import { overlayNewerNames } from './newer-names.js';

/** Builds the gazetteer from its sources. The same sources always give the same result. */
export function buildGazetteer(): GazetteerData {
  const divisions = readDivisions();
  return assemble(overlayNewerNames(readGeonames()), readCountryNames(divisions), divisions);
}
