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
      let low = 0;
      let high = keys.length;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if ((keys[middle] ?? Infinity) < hash) low = middle + 1;
        else high = middle;
      }
      let end = low;
      while (keys[end] === hash) end++;
      return end === low ? NONE : values.subarray(low, end);
    },
  };
}
