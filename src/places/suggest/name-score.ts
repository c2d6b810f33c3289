import { NameKind } from '../data/name-list.js';
import type { PlaceData } from '../place-data.js';

/**
 * Weight of a name by its kind. README.md has the same table. A main name has the full weight, a part of it half, a name
 * in another language about a twentieth if several names of the place have its beginning ("vene" is Venice before Venëv),
 * and a rare name a thousandth. Codes and nicknames have the lowest weight: "queen" does not suggest Cincinnati.
 */
const WEIGHTS: Record<NameKind, number> = {
  [NameKind.main]: 64,
  [NameKind.part]: 32,
  [NameKind.other]: 3,
  [NameKind.code]: 1 / 256,
  [NameKind.rare]: 1 / 16,
};
/** Factor on the score of a name that equals the typed text, by its kind. */
const EXACT_MATCH_FACTORS: Record<NameKind, number> = {
  [NameKind.main]: 16,
  [NameKind.part]: 32,
  [NameKind.other]: 11,
  [NameKind.code]: 1,
  [NameKind.rare]: 24,
};

/** Returns the score of a name of the list: how likely a user means its place by it. */
export function nameScore(
  { nameList, popularity }: Pick<PlaceData, 'nameList' | 'popularity'>,
  name: number,
): number {
  return (popularity[nameList.place(name)] ?? 0) * WEIGHTS[nameList.kind(name)];
}

/** Returns the factor by which the score of a name rises if the typed text is the whole name. */
export function exactMatchFactor(kind: NameKind): number {
  return EXACT_MATCH_FACTORS[kind];
}
