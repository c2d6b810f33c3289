import KDBush from 'kdbush';
import { fold } from '../../src/weather/fold.js';
import { cleanName } from '../../src/weather/names.js';
import type { CountryRecord, GazetteerData } from '../../src/places/gazetteer-file.js';
import { firstNotLess } from '../../src/places/ascending.js';
import { cityKey, countryKey, hashKey } from '../../src/places/key-hash.js';
import type { CountryNames } from './country-names.js';
import { foldedNames } from './city-names.js';
import type { Divisions } from './divisions.js';
import { listNames } from './list-names.js';
import { orderNamesakes, type Namesake } from './namesakes.js';
import type { SourcePlace } from './source-places.js';

const UNITS = 100_000;
/** Only such names are compared for similar ones. */
const PLAIN = /^[a-z]+$/;

/**
 * Turns the sources into the arrays of the file. Places are sorted by country, then by population;
 * equal ones keep the order of the source. That order also ranks places of the same name.
 */
export function assemble(
  sources: SourcePlace[],
  countryNames: CountryNames,
  divisions: Divisions,
): GazetteerData {
  const places = sources
    .filter((place) => countryNames.englishName(place.country) !== undefined)
    .sort((a, b) => compare(a.country, b.country) || b.population - a.population);
  const countries = countryRecords(places, countryNames);
  const countryIndex = new Map(countries.map(({ code }, i) => [code, i]));
  const names = packTexts(places.map(shownName));
  const population = Uint32Array.from(places, (place) => place.population);
  const country = Uint8Array.from(places, (place) => countryIndex.get(place.country) ?? 0);
  const folded = packTexts(
    places.map((place) => fold(place.name)).map((text) => (PLAIN.test(text) ? text : '')),
  );
  return {
    countries,
    areas: countryNames.areas,
    divisions: divisions.names,
    latitude: Int32Array.from(places, (place) => Math.round(place.latitude * UNITS)),
    longitude: Int32Array.from(places, (place) => Math.round(place.longitude * UNITS)),
    population,
    country,
    division: Uint16Array.from(places, (place) => divisions.number(place.country, place.division)),
    nameStart: names.starts,
    names: names.bytes,
    foldedStart: folded.starts,
    foldedNames: folded.bytes,
    ...keyTable(places, countries, countryNames, divisions),
    ...spatialIndex(places),
    ...listNames(places, { country, population }, countries.length),
  };
}

function countryRecords(places: SourcePlace[], names: CountryNames): CountryRecord[] {
  const records: CountryRecord[] = [];
  for (const [i, { country: code }] of places.entries()) {
    const last = records.at(-1);
    if (last?.code === code) last.end = i + 1;
    else records.push({ code, name: countryName(code, names), first: i, end: i + 1 });
  }
  return records;
}

/** The name to show. A lookup must accept it: people send it back. */
function countryName(code: string, names: CountryNames): string {
  const name = names.englishName(code) ?? code;
  const cleaned = cleanName(name);
  if (!cleaned.ok || cleaned.name !== name)
    throw new Error(`no lookup accepts the country ${name}`);
  return name;
}

function packTexts(texts: string[]): { starts: Uint32Array; bytes: Uint8Array } {
  const starts = new Uint32Array(texts.length + 1);
  const parts = texts.map((text) => Buffer.from(text));
  for (const [i, part] of parts.entries()) starts[i + 1] = (starts[i] ?? 0) + part.length;
  return { starts, bytes: Buffer.concat(parts) };
}

function keyTable(
  places: SourcePlace[],
  countries: CountryRecord[],
  countryNames: CountryNames,
  divisions: Divisions,
) {
  /** Each value, and the hash of its key. The values of one key follow one another, the best first. */
  const unsorted: number[] = [];
  const hashes: number[] = [];
  let count = 0;
  const addRow = (key: string, row: number[]): void => {
    const hash = hashKey(key);
    count++;
    for (const value of row) {
      unsorted.push(value);
      hashes.push(hash);
    }
  };
  for (const { code, first, end } of countries) {
    for (const [folded, list] of namesakes(places, first, end)) {
      orderNamesakes(list, places);
      addRow(
        cityKey(code, folded),
        list.map(({ value }) => value),
      );
    }
  }
  for (const [folded, area] of countryNames.keys()) addRow(countryKey(folded), [area]);
  for (const [key, number] of divisions.keys()) addRow(key, [number]);
  const keys = Float64Array.from(hashes).sort();
  const different = keys.reduce((sum, hash, i) => sum + Number(hash !== keys[i - 1]), 0);
  if (different < count) throw new Error('two keys share one hash: change hashKey');
  const values = new Uint32Array(keys.length);
  let at = 0;
  for (const [i, hash] of hashes.entries()) {
    at = hash === hashes[i - 1] ? at + 1 : firstNotLess(keys, hash);
    values[at] = unsorted[i] ?? 0;
  }
  return { keys, values };
}

/** The places of each folded name in a country. */
function namesakes(places: SourcePlace[], first: number, end: number): Map<string, Namesake[]> {
  const names = new Map<string, Namesake[]>();
  for (const [i, place] of places.slice(first, end).entries()) {
    for (const [folded, rank] of foldedNames(place)) {
      const known = names.get(folded);
      if (known) known.push({ value: first + i, rank });
      else names.set(folded, [{ value: first + i, rank }]);
    }
  }
  return names;
}

function spatialIndex(places: SourcePlace[]) {
  const spatialPlaces = Uint32Array.from(places.flatMap((place, i) => (place.section ? [] : [i])));
  const index = new KDBush(spatialPlaces.length, 64, Int32Array);
  for (const i of spatialPlaces) {
    const place = places[i];
    if (place) index.add(Math.round(place.longitude * UNITS), Math.round(place.latitude * UNITS));
  }
  return { spatial: new Uint8Array(index.finish().data), spatialPlaces };
}

/** Japanese and Korean names in the source end in "city": Fukui-shi, Bucheon-si. */
function shownName({ name }: SourcePlace): string {
  return name.normalize('NFC').replace(/(?<=\p{L})-(?:shi|si)$/u, '');
}

/** Compares by code unit: the order is the same on every machine, whatever its language. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
