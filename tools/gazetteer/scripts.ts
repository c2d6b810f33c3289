/** The letters of languages that are not written in Latin ones, by the code of their script in ISO 15924. */
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

/** The script that most people of a country write, by Unicode CLDR's likely subtags. */
export function scriptOf(country: string): string {
  const known = scripts.get(country);
  if (known !== undefined) return known;
  const script = new Intl.Locale(`und-${country}`).maximize().script ?? '';
  scripts.set(country, script);
  return script;
}

const ASCII = /^[\0-\x7f]*$/;

/** Whether a name is written in the letters of its country, and these are not Latin. */
export function isNative(name: string, country: string): boolean {
  return !ASCII.test(name) && (LETTERS[scriptOf(country)]?.test(name) ?? false);
}
