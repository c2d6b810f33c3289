/** The language of the page: the first of the browser's languages in which there are texts. */
import { ENGLISH } from '../texts/english.js';

type Texts = typeof ENGLISH;

/** The texts of the page in its language. A text that is missing is English. */
export let t: Texts = ENGLISH;
/** The language of texts and descriptions (ISO 639-1), and the language with its region, for numbers and dates (BCP 47). */
export let language = 'en';
export let locale = 'en';

/** Milliseconds after which the page starts in English. */
const TIME_LIMIT_MS = 4000;

/** Functions that load the texts of a language, besides English: the languages of the descriptions of the weather. */
const FILES: Record<string, () => Promise<{ default: Partial<Texts> }>> = {
  ar: () => import('../texts/ar.json'),
  de: () => import('../texts/de.json'),
  es: () => import('../texts/es.json'),
  fr: () => import('../texts/fr.json'),
  hi: () => import('../texts/hi.json'),
  it: () => import('../texts/it.json'),
  ja: () => import('../texts/ja.json'),
  ko: () => import('../texts/ko.json'),
  nb: () => import('../texts/nb.json'),
  nl: () => import('../texts/nl.json'),
  pl: () => import('../texts/pl.json'),
  pt: () => import('../texts/pt.json'),
  ru: () => import('../texts/ru.json'),
  sv: () => import('../texts/sv.json'),
  tr: () => import('../texts/tr.json'),
  uk: () => import('../texts/uk.json'),
  zh: () => import('../texts/zh.json'),
};

const ALIASES: Record<string, string> = { no: 'nb', nn: 'nb' };

/** Returns the language of a tag; undefined if the page does not have it. The Chinese texts have simplified characters. */
function languageOf(tag: string): string | undefined {
  try {
    const { language: code, script } = new Intl.Locale(tag).maximize();
    const name = ALIASES[code] ?? code;
    return script !== 'Hant' && (name === 'en' || name in FILES) ? name : undefined;
  } catch {
    return undefined;
  }
}

/** Loads the texts of the first known language of the browser. Without them, the page is English. Never throws. */
export async function loadTexts(): Promise<void> {
  const tag = navigator.languages.find(languageOf) ?? 'en';
  const name = languageOf(tag) ?? 'en';
  locale = tag;
  const load = FILES[name];
  if (!load) return;
  const late = new Promise<undefined>((resolve) => {
    setTimeout(resolve, TIME_LIMIT_MS);
  });
  const file = await Promise.race([load().catch(reload), late]);
  if (!file) return;
  t = { ...ENGLISH, ...file.default };
  language = name;
  document.documentElement.lang = tag;
  document.documentElement.dir = name === 'ar' ? 'rtl' : 'ltr';
}

/** The file may be of another release. */
function reload(): undefined {
  if (navigator.onLine) window.reloadOnce();
}

/** Returns a text with a value in it. */
export const fill = (text: string, value: string | number): string =>
  text.replace('{}', () => String(value));
