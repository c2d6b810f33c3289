import { lowerBound } from './binary-search.js';
import type { GazetteerSections } from './gazetteer-file.js';
import { hashKey } from './key-hash.js';

export type KeyTable = ReturnType<typeof createKeyTable>;

const NONE = new Uint32Array(0);

/** Creates the hash table from keys to values, see `keys` in `gazetteer-file.ts`. */
export function createKeyTable({ keyStart, keys, values }: GazetteerSections) {
  return {
    /**
     * Returns the values of a key, best first; empty if the key does not exist. It searches one bucket and allocates one
     * view.
     */
    values(key: string): Uint32Array {
      const { bucket, fingerprint } = hashKey(key);
      const last = keyStart[bucket + 1] ?? 0;
      const first = lowerBound(keys, fingerprint, keyStart[bucket], last);
      let end = first;
      while (end < last && keys[end] === fingerprint) end++;
      return end === first ? NONE : values.subarray(first, end);
    },
  };
}
