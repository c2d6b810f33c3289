/** The scripts of names that are searched in a language of their own, as ISO 15924 codes. */
const SCRIPTS: [code: string, letter: RegExp][] = [
  // Kana before Han: Japanese names mix them, Chinese ones do not.
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

/** The language that Unicode's likely subtags (CLDR, built into the runtime) give to both. */
function likelyLanguage(script: string, countryCode?: string): string {
  return new Intl.Locale(['und', script, countryCode].filter(Boolean).join('-')).maximize()
    .language;
}

/**
 * The languages in which somebody may have written the name of a place in a country: the likeliest
 * first, and at most one other. A Latin name is English or of the country (München, Munich).
 */
export function likelyLanguages(name: string, countryCode: string): string[] {
  const script = SCRIPTS.find(([, letter]) => letter.test(name))?.[0] ?? 'Latn';
  const local =
    script === 'Hani' && countryCode === 'JP' ? 'ja' : likelyLanguage(script, countryCode);
  const languages = script === 'Latn' ? ['en', local] : [local, likelyLanguage(script)];
  return [...new Set(languages)];
}
