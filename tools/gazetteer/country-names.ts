import { ASCII, plainText } from '../../src/text/typography.js';
import { foldCountry } from '../../src/places/names/countries.js';
import { fold } from '../../src/places/names/fold.js';
import type { AreaRecord } from '../../src/places/data/gazetteer-file.js';
import { countryLabels } from './country-labels.js';
import {
  countriesOfLabels,
  inOtherLanguages,
  plainForms,
  readIsoCountries,
} from './country-votes.js';
import {
  ALSO,
  ENGLISH_NAMES,
  FORMS_OF_STATE,
  PARTS,
  RESERVED,
  SHARED,
  TERRITORIES,
} from './country-tables.js';
import { readOfficialNames } from './official-names.js';
import type { Regions } from './regions.js';
import table from './tables/country-aliases.json' with { type: 'json' };

const ALIASES: Partial<Record<string, string[]>> = table.aliases;
const CAPITALS = /^[A-Z]+$/;
/** An abbreviation of two or three Latin letters, with or without periods: ÉU, S.U.A. */
const SHORT_FORM = /^(?:\p{Lu}\p{M}?[. -]*){2,3}$/u;
const HAS_PERIODS = /[.]/;

/** All names of all countries, and the areas that they mean. */
export interface CountryNames {
  areas: AreaRecord[];
  /** Returns all ISO 3166-1 codes, folded, each with the index of its area. */
  codes(): [folded: string, area: number][];
  /** Returns all folded names, each with the index of its area. */
  names(): [folded: string, area: number][];
  /** Returns the labels with the folded name of another country, each with its area's index. */
  labels(): [label: string, area: number][];
  /** Returns the display name; undefined for a code that is not in ISO 3166-1. */
  englishName(code: string): string | undefined;
}

/**
 * Collects the names of countries, the least ambiguous first: reviewed aliases, English names, the
 * labels of CLDR in all languages, names in other languages, official names. A name goes to the
 * first country that claims it. If languages use a label for different countries, all of them get
 * it. If they use another name for different countries, most languages decide; a tie means none.
 */
export function readCountryNames(regions: Regions): CountryNames {
  const iso = readIsoCountries();
  const alpha3 = iso.getAlpha2Codes();
  const codes = Object.keys(alpha3);
  const english = iso.getNames('en', { select: 'all' });
  const areas: AreaRecord[] = codes.map((code) => ({
    codes: [code, ...(TERRITORIES[code]?.split(' ') ?? [])],
    ...(ALSO[code] ? { also: ALSO[code].map((each) => areaNamed(each, regions)) } : {}),
  }));
  const keys = new Map<string, number>();
  const codeKeys = new Map<string, number>();
  for (const [area, code] of codes.entries()) {
    for (const each of [code, alpha3[code] ?? code]) codeKeys.set(fold(each), area);
  }
  /** Whether a name is a code, or the country's own with periods. A code has no accents. */
  const isCode = (name: string, country: string): boolean => {
    if (!ASCII.test(name)) return false;
    const area = codeKeys.get(fold(name)) ?? codeKeys.get(foldCountry(name));
    return area !== undefined && (codes[area] === country || CAPITALS.test(name));
  };
  /**
   * Also leaves out abbreviations in other languages, which neither English nor the country uses,
   * and which are codes of regions: VS of Valais, MB of Manitoba. The aliases have the usual ones.
   */
  const isCodeOrShort = (name: string, country: string): boolean =>
    isCode(name, country) ||
    (ASCII.test(name) && regions.isCode(fold(name))) ||
    (/\p{Script=Latin}/u.test(name) && SHORT_FORM.test(name));
  const addFolded = (folded: string, area: number): void => {
    if (folded !== '' && !keys.has(folded)) keys.set(folded, area);
  };
  const add = (name: string, area: number): void => {
    if (!isCode(name, codes[area] ?? '')) addFolded(foldCountry(name), area);
  };
  const addArea = (area: AreaRecord, names: string[]): void => {
    for (const name of names) add(name, areas.length);
    areas.push(area);
  };

  const unionOf = (names: string[]): AreaRecord => {
    if (names.length === 1) return areaNamed(names[0] ?? '', regions);
    return { codes: names.flatMap((code) => areas[codes.indexOf(code)]?.codes ?? []) };
  };

  /** Adds forms such as "China, Republic of", which means "Republic of China", and not China. */
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
  const englishNames = (code: string): string[] =>
    plainForms([ENGLISH_NAMES[code] ?? '', ...(english[code] ?? [])]);
  for (const [name, members] of Object.entries(SHARED)) addArea({ codes: members }, [name]);
  for (const [part, names] of Object.entries(PARTS)) {
    const [code = '', division = ''] = part.split('.');
    addArea({ codes: [code], region: regions.first(code, division) }, names.split(', '));
  }
  for (const [area, code] of numbered) for (const name of ALIASES[code] ?? []) add(name, area);
  for (const [area, code] of numbered) for (const name of englishNames(code)) add(name, area);
  for (const name of Object.keys(SHARED)) addForms(name);
  const shared = new Set(Object.keys(SHARED).map(foldCountry));
  for (const [area, code] of numbered) {
    for (const name of englishNames(code)) {
      add(`${name}, The`, area);
      if (!shared.has(foldCountry(name))) addForms(name, area);
    }
  }
  const labels = countryLabels([...codes, ...Object.keys(RESERVED)]);
  const meaning = new Map(numbered.map(([area, code]) => [code, area]));
  const areaOf = (countries: string[]): number => {
    const meant = countries.map((code) => RESERVED[code] ?? code);
    const key = meant.join();
    if (!meaning.has(key)) meaning.set(key, areas.push(unionOf(meant)) - 1);
    return meaning.get(key) ?? 0;
  };
  const reviewed = new Set(keys.keys());
  for (const [folded, countries] of countriesOfLabels(labels, isCodeOrShort)) {
    addFolded(folded, areaOf(countries));
  }
  // With its periods, an abbreviation is not a code: R.U.
  const isShort = (name: string, country: string): boolean =>
    isCodeOrShort(name, country) && (isCode(name, country) || !HAS_PERIODS.test(name));
  const own = countriesOfLabels(labels, isShort, plainText).flatMap(
    ([label, countries]): [string, number][] => {
      const folded = foldCountry(label);
      const [first] = areas[keys.get(folded) ?? -1]?.codes ?? [];
      const area = areaOf(countries);
      return reviewed.has(folded) || first === areas[area]?.codes[0] ? [] : [[label, area]];
    },
  );
  for (const [folded, code] of inOtherLanguages(iso, labels, isCodeOrShort)) {
    addFolded(folded, codes.indexOf(code));
  }
  for (const [folded, code] of readOfficialNames(isCodeOrShort))
    addFolded(folded, codes.indexOf(code));

  return {
    areas,
    codes: () => [...codeKeys],
    names: () => [...keys],
    labels: () => own,
    englishName: (code) => ENGLISH_NAMES[code] ?? english[code]?.[0],
  };
}

/** Returns the area of a country's code, or of a region's code such as `RU.11`. */
function areaNamed(area: string, regions: Regions): AreaRecord {
  const [code = '', region] = area.split('.');
  return { codes: [code], ...(region && { region: regions.first(code, region) }) };
}
