import { firstIndex } from './binary-search.js';
import type { GazetteerSections } from './gazetteer-file.js';

/** The relation of a name to its place. The gazetteer file stores these numbers. */
export const NameKind = {
  /** The current main name. */
  main: 0,
  /** The main name: in part (Newcastle), of 2020, or in the country's script. */
  part: 1,
  /** Former or foreign names that begin like several names of the place: København, Kopenhagen. */
  other: 2,
  /** Airport codes, nicknames, machine romanizations. A typed whole word means other names. */
  code: 3,
  /** Like `other`, but few of the place's names have this beginning. */
  rare: 4,
} as const;
export type NameKind = (typeof NameKind)[keyof typeof NameKind];

/** Place and kind are one number, which has the kind in its lowest bits. */
const KIND_BITS = 3;
const KIND_MASK = (1 << KIND_BITS) - 1;

/** Packs the place and the kind of a name into the number that the list stores. */
export function packName(place: number, kind: NameKind): number {
  return (place << KIND_BITS) | kind;
}

/** Names per block. Twice as many: the file is 5 % smaller, and a read takes twice as long. */
export const BLOCK = 16;
/** The longest name in bytes: each of the two lengths of a name is one byte. */
export const MAX_BYTES = 255;

/** Names from `from` to before `exactTo` equal a text, and to before `to` begin with it. */
export interface NameRange {
  from: number;
  exactTo: number;
  to: number;
}

export type NameList = ReturnType<typeof createNameList>;

/**
 * Creates the list of all names of all places, folded, sorted by bytes. A name is its index.
 *
 * The list has front coding: of each name, only the bytes that differ from the name before. A name
 * with its offset takes 8 bytes instead of 16. The layout of a name: number of bytes shared with
 * the name before (one byte), number of other bytes (one byte), the other bytes. The first name of
 * each block shares none.
 */
export function createNameList({
  list,
  listBlocks,
  listNames,
}: Pick<GazetteerSections, 'list' | 'listBlocks' | 'listNames'>) {
  const encoder = new TextEncoder();
  const bytes = new Uint8Array(MAX_BYTES);
  let current = -1;
  let length = 0;
  let next = 0;

  function read(name: number): number {
    const block = Math.floor(name / BLOCK);
    if (name < current || block * BLOCK > current) {
      current = block * BLOCK - 1;
      next = listBlocks[block] ?? 0;
    }
    for (; current < name; current++) {
      const shared = listNames[next++] ?? 0;
      length = shared + (listNames[next++] ?? 0);
      for (let i = shared; i < length; i++) bytes[i] = listNames[next++] ?? 0;
    }
    return length;
  }

  /** Returns the first name not before the text. `past`: also skips names that begin with it. */
  function firstNotBefore(text: Uint8Array, past: boolean): number {
    const isBefore = (order: number): boolean => order < 0 || (past && order === 0);
    // The name is in the last block that begins before it, or in the first block.
    const nextBlock = firstIndex(1, listBlocks.length, (at) => !isBefore(compareBlock(at, text)));
    const end = Math.min(nextBlock * BLOCK, list.length);
    for (let name = (nextBlock - 1) * BLOCK; name < end; name++) {
      if (!isBefore(compareStart(bytes, 0, read(name), text))) return name;
    }
    return end;
  }

  /** Compares the first name of a block, which is stored whole, without reading it. */
  function compareBlock(block: number, text: Uint8Array): number {
    const at = (listBlocks[block] ?? 0) + 2;
    return compareStart(listNames, at, listNames[at - 1] ?? 0, text);
  }

  return {
    length: list.length,
    /** The name that was read last. The next read overwrites it. */
    bytes,
    /** Reads a name into `bytes`, and returns its length. An ascending order of reads is cheap. */
    read,
    /** Returns the names that begin with a folded text. */
    range(folded: string): NameRange {
      const text = encoder.encode(folded);
      const from = firstNotBefore(text, false);
      const to = firstNotBefore(text, true);
      let exactTo = from;
      while (exactTo < to && read(exactTo) === text.length) exactTo++;
      return { from, exactTo, to };
    },
    place: (name: number): number => (list[name] ?? 0) >>> KIND_BITS,
    kind: (name: number): NameKind => ((list[name] ?? 0) & KIND_MASK) as NameKind,
  };
}

/** Compares the first bytes of a name with the text. A shorter name sorts before the text. */
function compareStart(names: Uint8Array, at: number, length: number, text: Uint8Array): number {
  for (let i = 0; i < text.length; i++) {
    if (i === length) return -1;
    const difference = (names[at + i] ?? 0) - (text[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
