import { BLOCK, MAX_BYTES } from '../../src/places/data/name-list.js';

/**
 * Encodes names in the format that `name-list.ts` reads.
 * @param sorted names sorted by their bytes, with one character per byte
 * @throws Error for a name that is too long
 */
export function frontCoded(sorted: string[]): { names: Uint8Array; blockStart: Uint32Array } {
  const blockStart: number[] = [];
  const names = Buffer.alloc(sorted.reduce((sum, name) => sum + name.length + 2, 0));
  let at = 0;
  for (const [i, name] of sorted.entries()) {
    if (name.length > MAX_BYTES) throw new Error(`a name is too long: ${name}`);
    if (i % BLOCK === 0) blockStart.push(at);
    const shared = i % BLOCK === 0 ? 0 : sharedLength(sorted[i - 1] ?? '', name);
    names[at++] = shared;
    names[at++] = name.length - shared;
    for (let c = shared; c < name.length; c++) names[at++] = name.charCodeAt(c);
  }
  return { names: names.subarray(0, at), blockStart: Uint32Array.from(blockStart) };
}

function sharedLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a.charCodeAt(length) === b.charCodeAt(length)) length++;
  return length;
}
