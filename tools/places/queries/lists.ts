import { readFileSync } from 'node:fs';
import { cleanName } from '../../../src/text/place-names.js';

/** A city and country to look up, and the coordinates of the correct place. */
export interface Query {
  city: string;
  country: string;
  latitude: number;
  longitude: number;
}

/** Reads a list of queries in `lists/`. The lists are hand-written, without data of GeoNames. */
export function readQueries(list: string): Query[] {
  return rows(list).map(([city = '', country = '', at = '']) => {
    const [latitude = NaN, longitude = NaN] = at.split(', ').map(Number);
    return { city, country, latitude, longitude };
  });
}

/** Reads the list of misspelled names, their countries, and the correct names. */
export function readMisspelled(): { city: string; country: string; meant: string }[] {
  return rows('misspelled').map(([city = '', country = '', meant = '']) => ({
    city,
    country,
    meant,
  }));
}

/** Reads the list of places that suggestions must contain, and what a user types for them. */
export function readWanted(): { city: string; countryCode: string; typed: string }[] {
  return rows('wanted').map(([place = '', typed]) => {
    const [city = '', countryCode = ''] = place.split(', ');
    return { city, countryCode, typed: typed ?? city };
  });
}

function rows(list: string): string[][] {
  const text = readFileSync(new URL(`lists/${list}.txt`, import.meta.url), 'utf8');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const result = lines.map((line) => line.split(' | '));
  for (const [first = ''] of result) {
    if (!cleanName(first).ok) throw new Error(`no lookup accepts "${first}" in ${list}`);
  }
  return result;
}
