/** The scripts other than Latin, as ISO 15924 codes. */
const SCRIPTS = 'Hani Hang Cyrl Arab Grek Hebr Deva Thai Geor Armn Beng Taml Telu'.split(' ');

function scriptOf(name: string): string {
  const has = (script: string) => new RegExp(`\\p{Script=${script}}`, 'u').test(name);
  // Japanese names have kana and Han, Chinese names only Han.
  if (has('Hira') || has('Kana')) return 'Jpan';
  return SCRIPTS.find(has) ?? 'Latn';
}

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
  const script = scriptOf(name);
  const local =
    script === 'Hani' && countryCode === 'JP' ? 'ja' : likelyLanguage(script, countryCode);
  const languages = script === 'Latn' ? ['en', local] : [local, likelyLanguage(script)];
  return [...new Set(languages)];
}
