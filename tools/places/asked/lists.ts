import { readFileSync } from 'node:fs';
import { cleanName } from '../../../src/place-names.js';

/** A question by name, and where its answer lies. */
export interface Question {
  city: string;
  country: string;
  latitude: number;
  longitude: number;
}

/** What people ask for, by the file of `lists/`. All of it is written by hand, none of it from GeoNames. */
export function readQuestions(list: string): Question[] {
  return rows(list).map(([city = '', country = '', at = '']) => {
    const [latitude = NaN, longitude = NaN] = at.split(', ').map(Number);
    return { city, country, latitude, longitude };
  });
}

/** A misspelt name, its country, and the name that was meant. */
export function readMisspelt(): { city: string; country: string; meant: string }[] {
  return rows('misspelt').map(([city = '', country = '', meant = '']) => ({
    city,
    country,
    meant,
  }));
}

/** A place as suggestions show it, and what people type to get it. */
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
