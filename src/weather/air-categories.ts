import texts from './air-categories.json' with { type: 'json' };

/** Texts of the bands of the European air quality index by language, from the best to the worst. */
const TEXTS: Partial<Record<string, string[]>> = texts;

/** Returns the European AQI band, 0 (best) to 5 (worst). A band includes its end: 20 is good. */
export const bandOf = (index: number): number =>
  Math.min(Math.max(Math.ceil(index / 20) - 1, 0), 5);

/** Returns the European AQI band in words; null without an index. @param language one with texts */
export function categoryIn(language: string, index: number | null): string | null {
  if (index === null) return null;
  return (TEXTS[language] ?? texts.en)[bandOf(index)] ?? null;
}
