import { NameKind, type NameList } from './name-list.js';

/**
 * How much a name of the list counts for its place: in full for its main name, half for a part of it, a twentieth for a
 * name in another language if several begin so: "vene" is Venice before Venëv. A rare one counts little. Codes,
 * nicknames and romanisations by machine count least: "queen" is no Cincinnati.
 */
const WEIGHTS = [64, 32, 3, 1 / 256, 1 / 16];
/** A name that is typed to its end counts so many times more. */
const WHOLE: Record<NameKind, number> = {
  [NameKind.main]: 16,
  [NameKind.part]: 32,
  [NameKind.other]: 11,
  [NameKind.remote]: 1,
  [NameKind.rare]: 24,
};

/**
 * The worth of each name of the list, the larger the better. The build and suggestions use the same.
 *
 * @param standing of each place, see `GazetteerSections.standing`
 */
export function createWorth(names: NameList, standing: Uint32Array): (name: number) => number {
  return (name) => {
    const kind = names.kind(name);
    return (standing[names.place(name)] ?? 0) * (WEIGHTS[kind] ?? 0);
  };
}

/** How many times more a name of this kind counts when the text is the whole of it. */
export function wholeFactor(kind: NameKind): number {
  return WHOLE[kind];
}
