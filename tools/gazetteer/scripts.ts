import { ASCII } from '../../src/text/typography.js';

/** Letters of scripts other than Latin, by the ISO 15924 code of the script. */
const LETTERS: Record<string, RegExp> = Object.fromEntries(
  Object.entries({
    Arab: 'Arabic',
    Armn: 'Armenian',
    Beng: 'Bengali',
    Cyrl: 'Cyrillic',
    Deva: 'Devanagari',
    Ethi: 'Ethiopic',
    Geor: 'Georgian',
    Grek: 'Greek',
    Hans: 'Han',
    Hant: 'Han',
    Hebr: 'Hebrew',
    Khmr: 'Khmer',
    Kore: 'Hangul',
    Laoo: 'Lao',
    Mymr: 'Myanmar',
    Sinh: 'Sinhala',
    Thai: 'Thai',
    Tibt: 'Tibetan',
  }).map(([code, script]) => [code, new RegExp(`\\p{Script=${script}}`, 'u')]),
);
LETTERS['Jpan'] = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

const scripts = new Map<string, string>();

/** Returns the main script of a country, by the likely subtags of Unicode CLDR. */
export function scriptOf(country: string): string {
  const known = scripts.get(country);
  if (known !== undefined) return known;
  const script = new Intl.Locale(`und-${country}`).maximize().script ?? '';
  scripts.set(country, script);
  return script;
}

/** Returns whether a name is in the main script of a country, and the script is not Latin. */
export function isNative(name: string, country: string): boolean {
  return !ASCII.test(name) && (LETTERS[scriptOf(country)]?.test(name) ?? false);
}
