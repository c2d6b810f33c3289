import { lowerBound } from './binary-search.js';
import type { GazetteerSections } from './gazetteer-file.js';
import { hashKey } from './key-hash.js';

/** The hash table from keys to values; see `GazetteerSections.keys`. */
export interface KeyTable {
  /** Returns the values of a key, best first; empty if the key does not exist. */
  values(key: string): Uint32Array;
}

const NONE = new Uint32Array(0);

/** Creates the table on the loaded sections. A lookup is a binary search in one bucket and allocates one view. */
export function createKeyTable({
  keyStart,
  keys,
  values,
}: Pick<GazetteerSections, 'keyStart' | 'keys' | 'values'>): KeyTable {
  return {
    values(key) {
      const { bucket, fingerprint } = hashKey(key);
      const last = keyStart[bucket + 1] ?? 0;
      const first = lowerBound(keys, fingerprint, keyStart[bucket], last);
      let end = first;
      while (end < last && keys[end] === fingerprint) end++;
      return end === first ? NONE : values.subarray(first, end);
    },
  };
}
