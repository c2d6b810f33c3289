import { BLOCK, createFrontCoded, type FrontCoded } from './front-coded.js';
import type { GazetteerSections } from './gazetteer-file.js';

/** What kind of name a name of the list is for its place. */
export const NameKind = {
  /** Today's name. */
  main: 0,
  /** A part of today's name (Newcastle), or the name of 2020. */
  part: 1,
  /** Older names, and names in other languages; several of the place's names begin so: København, Kopenhagen. */
  other: 2,
  /** Codes of airports, nicknames, and romanisations by machine: nobody means them by a whole word. */
  remote: 3,
  /** Like `other`, but few of the place's names begin so. */
  rare: 4,
} as const;
export type NameKind = (typeof NameKind)[keyof typeof NameKind];

const KINDS = 8;

/** A name of the list as one number: its place and its kind. */
export function listed(place: number, kind: NameKind): number {
  return place * KINDS + kind;
}

/** All names of all places in the order of their bytes, in folded form. */
export interface NameList extends FrontCoded {
  length: number;
  /** The names from `from` to before `exactTo` are the text itself, those to before `to` begin with it. */
  range(folded: string): { from: number; exactTo: number; to: number };
  place(name: number): number;
  kind(name: number): NameKind;
}

/** The list of the loaded file. */
export function createNameList({
  list,
  listBlocks,
  listNames,
}: Pick<GazetteerSections, 'list' | 'listBlocks' | 'listNames'>): NameList {
  const encoder = new TextEncoder();
  const { bytes, read } = createFrontCoded(listNames, listBlocks);

  /** The first name that is not before the text; with `past`, that neither begins with it. */
  function firstNotBefore(text: Uint8Array, past: boolean): number {
    const isBefore = (order: number): boolean => order < 0 || (past && order === 0);
    let low = 0;
    let high = listBlocks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isBefore(compareBlock(middle, text))) low = middle + 1;
      else high = middle;
    }
    if (low === 0) return 0;
    const end = Math.min(low * BLOCK, list.length);
    for (let name = (low - 1) * BLOCK + 1; name < end; name++) {
      if (!isBefore(compareStart(bytes, 0, read(name), text))) return name;
    }
    return end;
  }

  /** The first name of a block is stored whole: it is compared where it lies. */
  function compareBlock(block: number, text: Uint8Array): number {
    const at = (listBlocks[block] ?? 0) + 2;
    return compareStart(listNames, at, listNames[at - 1] ?? 0, text);
  }

  return {
    length: list.length,
    bytes,
    read,
    range(folded) {
      const text = encoder.encode(folded);
      const from = firstNotBefore(text, false);
      const to = firstNotBefore(text, true);
      let exactTo = from;
      while (exactTo < to && read(exactTo) === text.length) exactTo++;
      return { from, exactTo, to };
    },
    place: (name) => Math.floor((list[name] ?? 0) / KINDS),
    kind: (name) => ((list[name] ?? 0) % KINDS) as NameKind,
  };
}

/** Compares as much of a name as the text is long; a shorter name comes before it. */
function compareStart(names: Uint8Array, at: number, length: number, text: Uint8Array): number {
  for (let i = 0; i < text.length; i++) {
    if (i === length) return -1;
    const difference = (names[at + i] ?? 0) - (text[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
