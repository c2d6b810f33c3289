/**
 * The language of the page: the first of the browser's languages in which there are texts. In a
 * text, `{}` is replaced by a value. The winds, clockwise, and the moon's phases are split at `|`.
 */
import english from '../texts/en.json';

type Texts = typeof english;

/** The texts of the page in its language. A text that is missing is English. */
export let t: Texts = english;
/** The language of texts and descriptions (ISO 639-1). */
export let language = 'en';

/** Milliseconds after which the page starts in English. */
const TIME_LIMIT_MS = 4000;
/**
 * Functions that load the texts, besides English, in the languages of the weather descriptions.
 * With a computed name instead, esbuild adds a file on which the page has to wait.
 */
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

/** Returns the language of the texts for a tag. The Chinese texts have simplified characters. */
function languageOf(tag: Intl.Locale): string | undefined {
  const { language: code, script } = tag.maximize();
  const name = ALIASES[code] ?? code;
  return script !== 'Hant' && (name === 'en' || name in FILES) ? name : undefined;
}

/** The languages of the browser, without tags that are not valid, such as `C`. */
const wanted = navigator.languages.flatMap((tag) => {
  try {
    return new Intl.Locale(tag);
  } catch {
    return [];
  }
});
const [first] = wanted;
// Browsers add `zh` to `zh-TW`.
const chinese = wanted.find(({ baseName }) => baseName.startsWith('zh-'));
const best =
  wanted.map((tag) => (tag.baseName === 'zh' ? (chinese ?? tag) : tag)).find(languageOf) ??
  new Intl.Locale('en');
const name = languageOf(best) ?? 'en';
const { region } = first?.maximize() ?? best;

/**
 * The language with a region, for numbers, dates, the clock, and units. The region is that of the
 * browser's first language. Example: for a Finn who reads English, a day has 24 hours.
 */
export const locale = best === first ? best : new Intl.Locale(region ? `${name}-${region}` : name);

/** Loads the texts. Without them, the page is English. Never throws. */
export async function loadTexts(): Promise<void> {
  const load = FILES[name];
  if (!load) return;
  const late = new Promise<undefined>((resolve) => {
    setTimeout(resolve, TIME_LIMIT_MS);
  });
  const texts = await Promise.race([load().catch(reload), late]);
  if (!texts) return;
  t = { ...english, ...texts.default };
  language = name;
  document.documentElement.lang = locale.toString();
  document.documentElement.dir = name === 'ar' ? 'rtl' : 'ltr';
}

/** The file may be of another release. */
function reload(): undefined {
  if (navigator.onLine) window.reloadOnce();
}

const countries = new Intl.DisplayNames(locale, {
  type: 'region',
  style: 'short',
  fallback: 'none',
});

/** In the language of the page. @param code ISO 3166-1 alpha-2 @param usual the English name */
export const countryName = (code: string, usual: string): string =>
  (language === 'en' ? undefined : countries.of(code)) ?? usual;

/** Returns a text with a value in it. */
export const fill = (text: string, value: string | number): string =>
  text.replace('{}', () => String(value));
