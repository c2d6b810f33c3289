/** The keys of the gazetteer's lookup table, and their hash. */

/** A city's key: its country's ISO 3166-1 alpha-2 code and its folded name. */
export function cityKey(country: string, folded: string): string {
  return `${country}:${folded}`;
}

/** A country's key: its folded name, alias or code. */
export function countryKey(folded: string): string {
  return `=${folded}`;
}

/** The key of a region (state, province, county): its country's code and its folded name. */
export function divisionKey(country: string, folded: string): string {
  return `${country}/${folded}`;
}

/** The same for a region's code or abbreviation: OR, NSW. */
export function abbreviationKey(country: string, folded: string): string {
  return `${country}.${folded}`;
}

/** The key of a region's name in whatever country. */
export function regionKey(folded: string): string {
  return `/${folded}`;
}

/** How many parts the table has: one for each value of 16 bits. */
export const PARTS = 1 << 16;

/** The hash of a key: the part of the table where it stands, and its mark there, of 32 bits. */
export interface KeyHash {
  part: number;
  mark: number;
}

/**
 * Hashes a key to 48 bits (cyrb53, public domain). The table stores hashes and no keys. The build fails when two keys
 * have the same hash. An unknown name has the hash of a key by chance in about 1 of 10^8 lookups.
 */
export function hashKey(key: string): KeyHash {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let i = 0; i < key.length; i++) {
    const unit = key.charCodeAt(i);
    a = Math.imul(a ^ unit, 2654435761);
    b = Math.imul(b ^ unit, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return { part: b & (PARTS - 1), mark: a >>> 0 };
}
