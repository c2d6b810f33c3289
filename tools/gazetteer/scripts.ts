import { ASCII } from '../../src/text/typography.js';

/** Letters of scripts other than Latin, by the ISO 15924 code of the script. */
const LETTERS: Record<string, RegExp> = {
  ...Object.fromEntries(
    'Arab Armn Beng Cyrl Deva Ethi Geor Grek Hebr Khmr Laoo Mymr Sinh Thai Tibt'
      .split(' ')
      .map((code) => [code, new RegExp(`\\p{Script=${code}}`, 'u')]),
  ),
  Hans: /\p{Script=Han}/u,
  Hant: /\p{Script=Han}/u,
  Jpan: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u,
  Kore: /\p{Script=Hangul}/u,
};

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
