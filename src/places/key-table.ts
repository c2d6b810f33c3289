import { firstNotLess } from './ascending.js';
import type { GazetteerSections } from './gazetteer-file.js';
import { hashKey } from './key-hash.js';

/** The values of keys; see `GazetteerSections.keys`. */
export interface KeyTable {
  /** The values of a key, best first; empty when there is no such key. */
  values(key: string): Uint32Array;
}

const NONE = new Uint32Array(0);

/** A binary search in one part of the table. A lookup copies nothing and allocates one view. */
export function createKeyTable({
  keyStart,
  keys,
  values,
}: Pick<GazetteerSections, 'keyStart' | 'keys' | 'values'>): KeyTable {
  return {
    values(key) {
      const { part, mark } = hashKey(key);
      const last = keyStart[part + 1] ?? 0;
      const first = firstNotLess(keys, mark, keyStart[part], last);
      let end = first;
      while (end < last && keys[end] === mark) end++;
      return end === first ? NONE : values.subarray(first, end);
    },
  };
}
