import type { GazetteerData } from './gazetteer-file.js';

const decoder = new TextDecoder();

/** The name of a place to show: the English one, or the most usual. */
export function nameOf(data: GazetteerData, place: number): string {
  return decoder.decode(data.names.subarray(data.nameStart[place], data.nameStart[place + 1]));
}
