import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadGazetteer } from '../../src/places/gazetteer.js';
import { KEYS, valuesOf } from '../../src/places/data/key-hash.js';
import { displayName, kilometersBetween } from '../../src/places/data/place-record.js';
import { areasNamed } from '../../src/places/names/countries.js';
import { isArea } from '../../src/places/find/exact-match.js';
import { findInArea } from '../../src/places/find/find-place.js';
import { loadPlaceData } from '../../src/places/place-data.js';
import { fold } from '../../src/places/names/fold.js';
import { SEED } from '../support/seed.js';
import { builtGazetteer } from '../../tools/places/built-gazetteer.js';

const file = builtGazetteer();
const data = loadPlaceData(file);
const gazetteer = loadGazetteer(file);

/** A misspelled name may find a place within this distance, where the weather is the same. */
const NEAR_KM = 30;
const TOWN_PEOPLE = 15_000;

/** Returns a word with each letter deleted, and with each two adjacent letters swapped. */
function misspellingsOf(word: string): string[] {
  const letters = Array.from(word);
  return letters.flatMap((letter, i) => {
    const [before, after] = [letters.slice(0, i), letters.slice(i + 1)];
    const swapped = [...before, ...after.slice(0, 1), letter, ...after.slice(1)];
    return [[...before, ...after].join(''), swapped.join('')];
  });
}

/** Returns a name with errors in its first and in its last word. */
function misspellings(name: string): Set<string> {
  const words = name.split(' ');
  const found = [
    ...misspellingsOf(words[0]!).map((text) => [text, ...words.slice(1)].join(' ')),
    ...misspellingsOf(words.at(-1)!).map((text) => [...words.slice(0, -1), text].join(' ')),
  ];
  return new Set(found.map((text) => text.trim()).filter((text) => fold(text) !== fold(name)));
}

/**
 * Returns misspellings of names that find another place instead of none or a question. Misspellings
 * that are names of places, or names or codes of regions, are left out.
 */
function findWrong(places: number[]): { count: number; wrong: string[] } {
  let count = 0;
  const wrong: string[] = [];
  for (const place of places) {
    const name = displayName(data, place);
    const country = data.countries[data.country[place]!]!.name;
    const area = [...areasNamed(data, country)][0]!;
    for (const text of misspellings(name)) {
      count++;
      const found = findInArea(data, text, area);
      if (found === undefined || isArea(found)) continue;
      if (kilometersBetween(data, place, found) <= NEAR_KM) continue;
      const keys = area.codes.flatMap((code) => [
        KEYS.city(code, fold(text)),
        KEYS.region(code, fold(text)),
        KEYS.regionCode(code, fold(text)),
      ]);
      if (keys.some((key) => valuesOf(data, key).length > 0)) continue;
      wrong.push(`${text}, ${country} (${name}): ${displayName(data, found)}`);
    }
  }
  return { count, wrong };
}

describe('a misspelled name', () => {
  const all = Array.from(data.country, (_, place) => place);

  const towns = all.filter((place) => data.population[place]! >= TOWN_PEOPLE);
  const ofTwoWords = towns.filter((place) => displayName(data, place).split(' ').length === 2);
  const isAmerican = (place: number): boolean =>
    data.countries[data.country[place]!]!.code === 'US';

  it('of a town of two words or of a large city never finds another place', () => {
    const largest = [...all].sort((a, b) => data.population[b]! - data.population[a]!);
    // Each seed tests a ninth of the USA, where most names are alike, and a thirtieth elsewhere.
    const isTested = (place: number, i: number) => (i + SEED) % (isAmerican(place) ? 9 : 30) === 0;
    const tested = [...ofTwoWords, ...largest.slice(0, 1000)].filter(isTested);
    const { count, wrong } = findWrong(tested);
    assert.ok(count > 1500, `${count} misspellings`);
    assert.deepEqual(wrong, []);
  });

  it('that is the name of something else is unknown, and the correct name is suggested', () => {
    const meant: [misspelled: string, hint: string, country?: string][] = [
      // NE is Nebraska, and its Orleans a village.
      ['Ne Orleans', 'New Orleans'],
      // There is an Ives in the state of Washington.
      ['Ives states', 'Ives Estates'],
      ['Diamond ar', 'Diamond Bar'],
      // "Grad" is a city in Croatia only.
      ['Grad Rapids', 'Grand Rapids'],
      // DAY is the airport of Dayton.
      ['Day City', 'Daly City'],
      ['Elliott City', 'Ellicott City'],
      // 32 letters, of which one is missing.
      ['Dovercourt-Wllace Emerson-Junction', 'Dovercourt-Wallace Emerson-Junction', 'Canada'],
    ];
    for (const [misspelled, hint, country = 'United States'] of meant) {
      const match = gazetteer.findCity(misspelled, country);
      const hints = match.kind === 'unknown_city' ? match.suggestions : [match.kind];
      assert.ok(hints.includes(hint), hints.join(', '));
    }
  });
});
