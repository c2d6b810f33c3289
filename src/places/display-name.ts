import type { GazetteerData } from './gazetteer-file.js';

const decoder = new TextDecoder();

/** Returns the display name of a place: its English name, or its most common name. */
export function displayName(data: GazetteerData, place: number): string {
  return decoder.decode(data.names.subarray(data.nameStart[place], data.nameStart[place + 1]));
}
