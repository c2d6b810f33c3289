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
/** Subtags of traditional Chinese: script and regions. Without texts, the language is unknown. */
const TRADITIONAL = ['hant', 'tw', 'hk', 'mo'];

/**
 * Returns the known language of a tag such as `de-AT`, or the best of a weighted list such as
 * `Accept-Language` (RFC 9110, 12.5.4); else English. A weight of 0 excludes a language.
 */
export function languageOf(tags: string): string {
  const items = tags.toLowerCase().split(',');
  // Browsers add `zh` to `zh-TW`.
  const chinese = items.map(tagOf).find((tag) => /^zh[-_]/.test(tag)) ?? 'zh';
  const ranked = items.map((item) => {
    const [, ...parameters] = item.split(';');
    const weight = parameters
      .map((each) => /^\s*q\s*=\s*([\d.]+)\s*$/.exec(each)?.[1])
      .find(Boolean);
    const tag = tagOf(item);
    const language = knownLanguage(tag === 'zh' ? chinese : tag);
    // "." is no number.
    return { language, weight: Number(weight ?? 1) || 0 };
  });
  const excluded = ranked.filter(({ weight }) => weight === 0).map(({ language }) => language);
  const [best] = ranked
    .filter(({ language }) => language !== undefined && !excluded.includes(language))
    .sort((a, b) => b.weight - a.weight);
  return best?.language ?? ENGLISH;
}

/** Returns the tag of an item of a list, without its weight. */
const tagOf = (item: string) => item.replace(/;.*/, '').trim();

/** Returns the language of a tag, or undefined if it has no texts. */
function knownLanguage(tag: string): string | undefined {
  const [code = '', ...subtags] = tag.split(/[-_]/);
  const language = ALIASES[code] ?? code;
  if (!LANGUAGES.includes(language)) return undefined;
  const isTraditional = subtags.some((each) => TRADITIONAL.includes(each));
  return language === 'zh' && isTraditional && !subtags.includes('hans') ? undefined : language;
}

export function conditionIn(language: string, code: number | null): string {
  // -1 for null and for another code: the last text is that of an unknown condition.
  const index = CODES.indexOf(code ?? NaN);
  return TEXTS.get(language)?.at(index) ?? conditionOf(code);
}
