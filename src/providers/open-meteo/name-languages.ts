/** The scripts other than Latin, as ISO 15924 codes, and an expression that matches one of their letters. */
const SCRIPTS: [code: string, letter: RegExp][] = [
  // Kana before Han: Japanese names have both, Chinese names only Han.
  ['Jpan', /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['Hani', /\p{Script=Han}/u],
  ['Hang', /\p{Script=Hangul}/u],
  ['Cyrl', /\p{Script=Cyrillic}/u],
  ['Arab', /\p{Script=Arabic}/u],
  ['Grek', /\p{Script=Greek}/u],
  ['Hebr', /\p{Script=Hebrew}/u],
  ['Deva', /\p{Script=Devanagari}/u],
  ['Thai', /\p{Script=Thai}/u],
  ['Geor', /\p{Script=Georgian}/u],
  ['Armn', /\p{Script=Armenian}/u],
  ['Beng', /\p{Script=Bengali}/u],
  ['Taml', /\p{Script=Tamil}/u],
  ['Telu', /\p{Script=Telugu}/u],
];

/** The most likely language of a script in a country, by the likely subtags of Unicode CLDR (built into Node.js). */
function likelyLanguage(script: string, countryCode?: string): string {
  return new Intl.Locale(['und', script, countryCode].filter(Boolean).join('-')).maximize()
    .language;
}

/**
 * The languages in which the name of a place in a country may be written: the most likely first, at most two. A name in
 * Latin letters is English, or in the language of the country (Munich, München).
 */
export function likelyLanguages(name: string, countryCode: string): string[] {
  const script = SCRIPTS.find(([, letter]) => letter.test(name))?.[0] ?? 'Latn';
  const local =
    script === 'Hani' && countryCode === 'JP' ? 'ja' : likelyLanguage(script, countryCode);
  const languages = script === 'Latn' ? ['en', local] : [local, likelyLanguage(script)];
  return [...new Set(languages)];
}
