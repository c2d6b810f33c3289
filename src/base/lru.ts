import { LRUCache } from 'lru-cache';

const WIDE = /[^\0-\xff]/;

/** Returns the bytes that a text takes: V8 stores each character in two bytes if one of them is above U+00FF. */
export function textBytes(text: string): number {
  return WIDE.test(text) ? 2 * text.length : text.length;
}

/**
 * Creates a map of at most `max` entries, or of entries of the total size `max`. It evicts the least recently used entry.
 * The library's option `max` would allocate memory for all entries at once: 5 MB and 17 ms of each start.
 */
export function createLru<K extends string, V extends object | number>(
  max: number,
  options: Partial<LRUCache.Options<K, V, unknown>> = {},
): LRUCache<K, V> {
  return new LRUCache({ sizeCalculation: () => 1, ...options, maxSize: max });
}
