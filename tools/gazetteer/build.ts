import { addAirports } from './airports.js';
import { addChineseNames } from './chinese-names.js';
import { addDistrictNames, ALSO_SEARCHED } from './districts.js';
import { addHeights } from './heights.js';
import { addIslands } from './islands.js';
import { readGeonames } from './geonames.js';
import { addLanguages } from './zone-city-names.js';
import { overlayNewerNames } from './newer-names.js';
import { partOf, type Part } from './part.js';
import { addPostTowns } from './post-towns.js';
import { dropRegionNames } from './ambiguous-names.js';
import { readRegions } from './regions.js';
import { shareForeignNames } from './shared-names.js';
import { sourcePlace, type SourcePlace } from './source-places.js';

/** Countries by their codes: from `first` to before `end`. */
export interface CountryRange {
  first: string;
  end: string;
}

/**
 * Builds the gazetteer's part for some countries. The names of a place depend only on the places of
 * its country, and of those in `ALSO_SEARCHED`, so several threads build parts at the same time.
 * The result is deterministic, and does not depend on the ranges.
 *
 * @param report receives the name of each step
 */
export function buildPart({ first, end }: CountryRange, report: (step: string) => void): Part {
  const isOwn = (country: string): boolean => country >= first && country < end;
  const searched = new Set(
    Object.entries(ALSO_SEARCHED).flatMap(([country, others]) => (isOwn(country) ? others : [])),
  );
  const isRead = (country: string): boolean => isOwn(country) || searched.has(country);
  report('regions');
  const regions = readRegions();
  report('places');
  const known = dropRegionNames(overlayNewerNames(readGeonames(isRead), isRead), regions);
  report('towns');
  const withTowns = addPostTowns(addAirports(addIslands(known), regions));
  report('names');
  const named = addDistrictNames(addLanguages(addChineseNames(withTowns, regions), regions));
  const shared = shareForeignNames(named);
  report('tables');
  // The airports of other countries became places, because their towns were not read.
  return partOf(addHeights(withoutCodes(shared.filter(({ country }) => isOwn(country)))));
}

/** A code of an airport (IATA) among the names of a town. */
const AIRPORT_CODE = /^[A-Z]{3}$/;
/** Abbreviations that people use as names. */
const USUAL = new Set(['NYC']);

/** Removes codes of airports, which are no names. */
function withoutCodes(places: SourcePlace[]): SourcePlace[] {
  const isName = (name: string): boolean => !AIRPORT_CODE.test(name) || USUAL.has(name);
  return places.map((place) =>
    sourcePlace({ ...place, alternateNames: place.alternateNames.filter(isName) }),
  );
}
