import { foldCountry } from '../../src/places/countries.js';
import type { AreaRecord } from '../../src/places/gazetteer-file.js';
import {
  ALSO,
  ENGLISH_NAMES,
  FORMS_OF_STATE,
  FURTHER_LANGUAGES,
  PARTS,
  SHARED,
  TERRITORIES,
} from './country-tables.js';
import { readOfficialNames } from './official-names.js';
import { load } from './packages.js';
import type { Regions } from './regions.js';
import table from './tables/country-aliases.json' with { type: 'json' };

const ALIASES: Partial<Record<string, string[]>> = table.aliases;

interface IsoCountries {
  langs(): string[];
  getAlpha2Codes(): Record<string, string>;
  registerLocale(locale: unknown): void;
  getNames(language: string, options: { select: 'all' }): Record<string, string[]>;
}

/** All names of all countries, and the areas that they mean. */
export interface CountryNames {
  areas: AreaRecord[];
  /** Returns all folded names, each with the index of its area. */
  keys(): [folded: string, area: number][];
  /** Returns the display name; undefined for a code that is not in ISO 3166-1. */
  englishName(code: string): string | undefined;
}

/**
 * Collects the names of countries, the least ambiguous first: codes, reviewed aliases, English names, names in other
 * languages, official names. A name goes to the first country that claims it. If languages use a name for different
 * countries, most languages decide; on a tie, no country gets the name.
 */
export function readCountryNames(regions: Regions): CountryNames {
  const iso = readIsoCountries();
  const codes = Object.keys(iso.getAlpha2Codes());
  const english = iso.getNames('en', { select: 'all' });
  const areas: AreaRecord[] = codes.map((code) => ({
    codes: [code, ...(TERRITORIES[code]?.split(' ') ?? [])],
    ...(ALSO[code] ? { also: ALSO[code].map((each) => alsoArea(each, regions)) } : {}),
  }));
  const keys = new Map<string, number>();
  const add = (name: string, area: number): void => {
    const folded = foldCountry(name);
    if (folded !== '' && !keys.has(folded)) keys.set(folded, area);
  };
  const addArea = (area: AreaRecord, names: string[]): void => {
    for (const name of names) add(name, areas.length);
    areas.push(area);
  };

  /** Adds forms such as "China, Republic of". They mean the same country as "Republic of China", which is not China. */
  const addForms = (name: string, area?: number): void => {
    for (const [form, abbreviations] of Object.entries(FORMS_OF_STATE)) {
      const whole = `${form} ${name}`;
      if (area !== undefined) add(whole, area);
      const meant = keys.get(foldCountry(whole));
      if (meant === undefined) continue;
      for (const after of [form, ...abbreviations]) add(`${name}, ${after}`, meant);
    }
  };

  const numbered = [...codes.entries()];
  for (const [area, code] of numbered) add(code, area);
  for (const [area, code] of numbered) add(iso.getAlpha2Codes()[code] ?? code, area);
  for (const [name, members] of Object.entries(SHARED)) addArea({ codes: members }, [name]);
  for (const [part, names] of Object.entries(PARTS)) {
    const [code = '', division = ''] = part.split('.');
    addArea({ codes: [code], region: regions.first(code, division) }, names);
  }
  for (const [area, code] of numbered) for (const name of ALIASES[code] ?? []) add(name, area);
  for (const [area, code] of numbered) {
    for (const name of plainForms([ENGLISH_NAMES[code] ?? '', ...(english[code] ?? [])])) {
      add(name, area);
    }
  }
  for (const name of Object.keys(SHARED)) addForms(name);
  const shared = new Set(Object.keys(SHARED).map(foldCountry));
  for (const [area, code] of numbered) {
    for (const name of plainForms([ENGLISH_NAMES[code] ?? '', ...(english[code] ?? [])])) {
      add(`${name}, The`, area);
      if (!shared.has(foldCountry(name))) addForms(name, area);
    }
  }
  for (const [name, code] of inOtherLanguages(iso, codes)) add(name, codes.indexOf(code));
  for (const [name, code] of readOfficialNames()) add(name, codes.indexOf(code));

  return {
    areas,
    keys: () => [...keys],
    englishName: (code) => ENGLISH_NAMES[code] ?? english[code]?.[0],
  };
}

function alsoArea(area: string, regions: Regions): AreaRecord {
  const [code = '', region] = area.split('.');
  return region === undefined
    ? { codes: [code] }
    : { codes: [code], region: regions.first(code, region) };
}

function readIsoCountries(): IsoCountries {
  const iso = load('i18n-iso-countries') as IsoCountries;
  for (const language of iso.langs()) {
    iso.registerLocale(load(`i18n-iso-countries/langs/${language}.json`));
  }
  return iso;
}

/** Adds names without their brackets: "Saint Martin (French part)". */
function plainForms(names: string[]): string[] {
  return names
    .filter((name) => name !== '')
    .flatMap((name) => [name, name.replace(/\s*\(.*\)/, '')]);
}

/** Returns folded names in all languages but English, each with the country that most languages use it for. */
function inOtherLanguages(iso: IsoCountries, codes: string[]): Map<string, string> {
  const votes = new Map<string, Map<string, number>>();
  const vote = (name: string, code: string): void => {
    const folded = foldCountry(name);
    const counts = votes.get(folded) ?? new Map<string, number>();
    votes.set(folded, counts.set(code, (counts.get(code) ?? 0) + 1));
  };
  for (const language of iso.langs()) {
    const names = iso.getNames(language, { select: 'all' });
    for (const code of codes) for (const name of plainForms(names[code] ?? [])) vote(name, code);
  }
  for (const language of [...iso.langs(), ...FURTHER_LANGUAGES.split(' ')]) {
    const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
    for (const code of codes)
      for (const name of plainForms([names.of(code) ?? ''])) vote(name, code);
  }
  const winners = new Map<string, string>();
  for (const [folded, counts] of votes) {
    const [first, second] = [...counts].sort((a, b) => b[1] - a[1]);
    if (first && first[1] > (second?.[1] ?? 0)) winners.set(folded, first[0]);
  }
  return winners;
}
