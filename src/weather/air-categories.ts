import texts from './air-categories.json' with { type: 'json' };

/** The texts of the bands of the European air quality index by language, from the best band to the worst. */
const TEXTS = new Map(Object.entries<string[]>(texts));

/** Returns the band of the European air quality index in words; null without an index. */
export function categoryIn(language: string, index: number | null): string | null {
  if (index === null) return null;
  // The end of a band belongs to the band: 20 is good.
  const band = Math.min(Math.max(Math.ceil(index / 20) - 1, 0), 5);
  return (TEXTS.get(language) ?? texts.en)[band] ?? null;
}
