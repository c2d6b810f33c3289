import { firstNotLess } from './ascending.js';
import { hashKey } from './key-hash.js';

/** The values of keys; see `GazetteerSections.keys`. */
export interface KeyTable {
  /** The values of a key, best first; empty when there is no such key. */
  values(key: string): Uint32Array;
}

const NONE = new Uint32Array(0);

/** A binary search over two parallel arrays. A lookup copies nothing and allocates one view. */
export function createKeyTable(keys: Float64Array, values: Uint32Array): KeyTable {
  return {
    values(key) {
      const hash = hashKey(key);
      const first = firstNotLess(keys, hash);
      let end = first;
      while (keys[end] === hash) end++;
      return end === first ? NONE : values.subarray(first, end);
    },
  };
}
