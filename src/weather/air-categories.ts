import texts from './air-categories.json' with { type: 'json' };

/** The texts of the bands of the European air quality index by language, from the best band to the worst. */
const TEXTS: Partial<Record<string, string[]>> = texts;

/** Returns the band of the European air quality index: 0 is the best, 5 the worst. The end of a band belongs to it: 20 is good. */
export const bandOf = (index: number): number =>
  Math.min(Math.max(Math.ceil(index / 20) - 1, 0), 5);

/** Returns the band of the European air quality index in words; null without an index. @param language one with texts */
export function categoryIn(language: string, index: number | null): string | null {
  if (index === null) return null;
  return (TEXTS[language] ?? texts.en)[bandOf(index)] ?? null;
}
