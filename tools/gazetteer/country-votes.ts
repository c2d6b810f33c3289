import { foldCountry } from '../../src/places/names/countries.js';
import { load } from './packages.js';

export interface IsoCountries {
  langs(): string[];
  getAlpha2Codes(): Record<string, string>;
  registerLocale(locale: unknown): void;
  getNames(language: string, options: { select: 'all' }): Record<string, string[]>;
}

/** Numbers of uses of a name, by country. */
export type Votes = Map<string, Map<string, number>>;

/** Loads the package i18n-iso-countries with all of its languages. */
export function readIsoCountries(): IsoCountries {
  const iso = load('i18n-iso-countries') as IsoCountries;
  for (const language of iso.langs()) {
    iso.registerLocale(load(`i18n-iso-countries/langs/${language}.json`));
  }
  return iso;
}

/** Adds names without their brackets: "Saint Martin (French part)". */
export function plainForms(names: string[]): string[] {
  return names
    .filter((name) => name !== '')
    .flatMap((name) => [name, name.replace(/\s*\(.*\)/, '')]);
}

/** Returns whether a name is a code of ISO 3166-1, and not a name of the country. */
export type IsCode = (name: string, country: string) => boolean;

/** Counts the countries of names. @param keyOf returns the same text for names that count as one */
function createVotes(isCode: IsCode, keyOf = foldCountry) {
  const votes: Votes = new Map();
  return {
    add(name: string, country: string, times = 1): void {
      if (isCode(name, country)) return;
      const folded = keyOf(name);
      const counts = votes.get(folded) ?? new Map<string, number>();
      votes.set(folded, counts.set(country, (counts.get(country) ?? 0) + times));
    },
    /** Returns the folded names, each with its countries and their votes, most votes first. */
    result: () =>
      [...votes].map(([folded, counts]) => ({
        folded,
        ranked: [...counts].sort((a, b) => b[1] - a[1]),
      })),
  };
}

/** Returns the countries of each label, most locales first. @param keyOf see `createVotes` */
export function countriesOfLabels(
  labels: Votes,
  isCode: IsCode,
  keyOf = foldCountry,
): [folded: string, countries: string[]][] {
  const votes = createVotes(isCode, keyOf);
  for (const [label, counts] of labels) {
    for (const [country, times] of counts) votes.add(label, country, times);
  }
  return votes.result().map(({ folded, ranked }) => [folded, ranked.map(([country]) => country)]);
}

/**
 * Returns folded names in other languages than English, and labels without brackets, each with the
 * country that most languages use it for.
 */
export function inOtherLanguages(
  iso: IsoCountries,
  labels: Votes,
  isCode: IsCode,
): [folded: string, country: string][] {
  const votes = createVotes(isCode);
  for (const language of iso.langs()) {
    for (const [code, names] of Object.entries(iso.getNames(language, { select: 'all' }))) {
      for (const name of plainForms(names)) votes.add(name, code);
    }
  }
  for (const [label, counts] of labels) {
    if (!label.includes('(')) continue;
    for (const code of counts.keys()) votes.add(plainForms([label]).at(-1) ?? '', code);
  }
  return votes.result().flatMap(({ folded, ranked: [first, second] }) => {
    return first && first[1] > (second?.[1] ?? 0) ? [[folded, first[0]]] : [];
  });
}
