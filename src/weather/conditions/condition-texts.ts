import { CODES, conditionOf } from './conditions.js';
import texts from './texts.json' with { type: 'json' };

/** The default, and the language of the texts of the WMO codes. */
export const ENGLISH = 'en';

/** The texts by language: those of `CODES` in their order, and that of an unknown condition. */
const TEXTS = new Map(Object.entries<string[]>(texts));

/** Codes of ISO 639-1. */
export const LANGUAGES = [ENGLISH, ...TEXTS.keys()].sort();

/** Codes of the same language. */
const ALIASES: Record<string, string> = { no: 'nb', nn: 'nb' };

/**
 * Returns the language of a tag such as `de-AT`, or of the first known tag of a list such as `Accept-Language`; else English.
 */
export function languageOf(tags: string): string {
  for (const tag of tags.toLowerCase().split(',')) {
    const [code = ''] = tag.trim().split(/[-_;]/, 1);
    const language = ALIASES[code] ?? code;
    if (LANGUAGES.includes(language)) return language;
  }
  return ENGLISH;
}

/** Returns the text of a WMO weather code in one of `LANGUAGES`. */
export function conditionIn(language: string, code: number | null): string {
  const index = CODES.indexOf(code ?? NaN);
  return TEXTS.get(language)?.at(index) ?? conditionOf(code);
}
