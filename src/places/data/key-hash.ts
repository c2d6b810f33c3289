/** The keys of the gazetteer's hash table, and their hash function. */

/** Returns a city's key from its country's ISO 3166-1 alpha-2 code and its folded name. */
export function cityKey(country: string, folded: string): string {
  return `${country}:${folded}`;
}

/** Returns a country's key from its folded name or alias. */
export function countryKey(folded: string): string {
  return `=${folded}`;
}

/** Returns the key of a country's label that has the folded name of another country, from the label itself. */
export function countryLabelKey(label: string): string {
  return `==${label.toLowerCase()}`;
}

/** Returns a country's key from its ISO 3166-1 code, folded. */
export function countryCodeKey(folded: string): string {
  return `=.${folded}`;
}

/** Returns the key of a region (state, province, county) from its country's code and its folded name. */
export function divisionKey(country: string, folded: string): string {
  return `${country}/${folded}`;
}

/** Returns the key of a region's code or abbreviation, such as OR and NSW, within a country. */
export function abbreviationKey(country: string, folded: string): string {
  return `${country}.${folded}`;
}

/** Returns the key of a region's name in any country. */
export function regionKey(folded: string): string {
  return `/${folded}`;
}

/** Returns the key of a region's code that names its country too, such as OR. */
export function regionCodeKey(folded: string): string {
  return `/.${folded}`;
}

/** Number of buckets of the table: one per 16-bit value. */
export const BUCKETS = 1 << 16;

/**
 * Hashes a key to 48 bits (cyrb53, public domain): its bucket in the table, and its 32-bit fingerprint in the bucket. The table stores hashes instead of keys. The build fails if two keys
 * have the same hash. About 1 in 10^8 lookups of an unknown name hits the hash of a key by chance.
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
