import { fold } from '../../src/places/names/fold.js';
import { ASCII } from '../../src/text/typography.js';
import type { Votes } from './country-votes.js';

const LETTERS = Array.from('abcdefghijklmnopqrstuvwxyz');
/** The scripts in which some language is written besides its usual script. */
const SCRIPTS =
  'Adlm Arab Beng Cyrl Deva Guru Hans Hant Latn Mtei Olck Orya Shrd Telu Tfng Vaii'.split(' ');
/** Locales that have a script and a region. */
const WITH_BOTH =
  'zh-Hans-HK zh-Hans-SG zh-Hant-HK zh-Hant-MO sr-Cyrl-BA sr-Cyrl-ME sr-Cyrl-XK sr-Latn-BA sr-Latn-ME sr-Latn-XK';

/** All words of two letters and of three letters. */
const WORDS = LETTERS.flatMap((a) => LETTERS.map((b) => a + b)).flatMap((two) => [
  two,
  ...LETTERS.map((c) => two + c),
]);

/** Creates the names of countries in a locale; undefined where its CLDR data has none. */
function namesIn(locale: string, style: 'long' | 'short'): Intl.DisplayNames {
  return new Intl.DisplayNames([locale], { type: 'region', fallback: 'none', style });
}

/**
 * Returns every locale of which this Node.js has names of countries, languages and their regional
 * forms. ECMAScript lists none, so all possible languages are tried, in about two seconds.
 *
 * @param countries ISO 3166-1 alpha-2 codes of the regions of regional forms
 */
export function knownLocales(countries: string[]): string[] {
  const known = new Set<string>();
  const add = (tag: string): void => {
    known.add(namesIn(tag, 'long').resolvedOptions().locale);
  };
  for (const language of Intl.DisplayNames.supportedLocalesOf(WORDS)) {
    add(language);
    // The canonical form of a few languages has a region or a script already: sr-Latn for "sh".
    if (language.includes('-')) continue;
    for (const form of [...SCRIPTS, ...countries, '001', '150', '419']) add(`${language}-${form}`);
  }
  WITH_BOTH.split(' ').forEach(add);
  return [...known];
}

/**
 * Returns every name that `Intl.DisplayNames` has for a country in any locale, long and short, with
 * the number of locales in which it is the name of each country.
 */
export function countryLabels(countries: string[]): Votes {
  const labels: Votes = new Map();
  for (const locale of knownLocales(countries)) {
    for (const style of ['long', 'short'] as const) {
      const names = namesIn(locale, style);
      for (const country of countries) {
        const label = names.of(country);
        if (label === undefined) continue;
        const counts = labels.get(label) ?? new Map<string, number>();
        labels.set(label, counts.set(country, (counts.get(country) ?? 0) + 1));
      }
    }
  }
  return labels;
}

/** Languages in which many people type the names of countries. */
const MAIN_LANGUAGES = 'en de fr es it pt nl pl sv tr id'.split(' ');

/** Returns a country's names in its own language and the main languages, in Latin letters. */
export function namesInMainLanguages(country: string): string[] {
  const { language } = new Intl.Locale(`und-${country}`).maximize();
  const names = [language, ...MAIN_LANGUAGES].flatMap(
    (locale) => namesIn(locale, 'long').of(country) ?? [],
  );
  return [...new Set(names)].filter((name) => ASCII.test(fold(name)));
}
