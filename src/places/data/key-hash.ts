import { lowerBound } from './binary-search.js';
import type { GazetteerSections } from './gazetteer-file.js';

/** The keys of the table. A country is an ISO 3166-1 alpha-2 code. Names and codes are folded. */
export const KEYS = {
  city: (country: string, name: string) => `${country}:${name}`,
  /**
   * What a region's name means in place of a city: a town, and the region if it is large, see
   * `AREA`. Without a name: what the names of the country mean.
   */
  areaTown: (country: string, name: string) => `${country}~${name}`,
  country: (name: string) => `=${name}`,
  /** An ISO 3166-1 code. */
  countryCode: (code: string) => `=.${code}`,
  /** A label, not folded, that has the folded name of another country. */
  countryLabel: (label: string) => `==${label.toLowerCase()}`,
  /** A region (state, province, county) of a country. */
  region: (country: string, name: string) => `${country}/${name}`,
  /** The code or abbreviation of a region, such as OR and NSW. */
  regionCode: (country: string, code: string) => `${country}.${code}`,
  /** A region of any country. */
  anyRegion: (name: string) => `/${name}`,
  /** The code of a region that names its country too, such as OR. */
  anyRegionCode: (code: string) => `/.${code}`,
};

/** Number of buckets of the table: one per 16-bit value. */
export const BUCKETS = 1 << 16;

/**
 * Hashes a key to 48 bits (cyrb53, public domain): its bucket in the table, and its 32-bit
 * fingerprint in the bucket. The table stores hashes instead of keys. The build fails if two keys
 * have the same hash. About 1 in 10^8 lookups of an unknown name hits a key's hash by chance.
 */
export function hashKey(key: string) {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let i = 0; i < key.length; i++) {
    const unit = key.charCodeAt(i);
    a = Math.imul(a ^ unit, 2654435761);
    b = Math.imul(b ^ unit, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return { bucket: b & (BUCKETS - 1), fingerprint: a >>> 0 };
}

/** Added to the largest town of an area that is too large for one town: Kansas is not Wichita. */
export const AREA = 1 << 30;

/** The arrays of the hash table. */
export type KeyTable = Pick<GazetteerSections, 'keyStart' | 'keys' | 'values'>;

const NONE = new Uint32Array(0);

/** Returns the values of a key, best first; empty if the key does not exist. */
export function valuesOf({ keyStart, keys, values }: KeyTable, key: string): Uint32Array {
  const { bucket, fingerprint } = hashKey(key);
  const last = keyStart[bucket + 1] ?? 0;
  const first = lowerBound(keys, fingerprint, keyStart[bucket], last);
  let end = first;
  while (end < last && keys[end] === fingerprint) end++;
  return end === first ? NONE : values.subarray(first, end);
}
