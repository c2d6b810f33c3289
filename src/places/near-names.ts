import type { Countries } from './countries.js';
import { fold } from '../weather/fold.js';
import type { AreaRecord, GazetteerData } from './gazetteer-file.js';

/** Gives up to three city names of the area that are similar to the folded name, likeliest first. */
export type NearNames = (folded: string, area: AreaRecord) => string[];

const LIMIT = 3;
/** Shorter names are one edit away from too many others. */
const MIN_LENGTH = 3;
const A = 97;

/**
 * Similar names by edit distance: a letter inserted, dropped or changed, or two neighbours swapped.
 * Names of up to five letters may differ by one edit, longer ones by two. The cost is bounded: one
 * pass over the country's names, and most of them are dismissed by their length and their letters.
 */
export function createNearNames(data: GazetteerData, countries: Countries): NearNames {
  const distance = createEditDistance(longestName(data));
  return (folded, area) => {
    if (folded.length < MIN_LENGTH || !/^[a-z]+$/.test(folded)) return [];
    const letters = Uint8Array.from(folded, (letter) => letter.charCodeAt(0));
    const mask = letterMask(letters, 0, letters.length);
    const allowed = folded.length < 6 ? 1 : 2;
    const found: { place: number; edits: number }[] = [];
    for (const code of area.codes) {
      const record = countries.byCode(code);
      for (let place = record?.first ?? 0; place < (record?.end ?? 0); place++) {
        if (area.division !== undefined && data.division[place] !== area.division) continue;
        const start = data.foldedStart[place] ?? 0;
        const end = data.foldedStart[place + 1] ?? start;
        if (Math.abs(end - start - letters.length) > allowed) continue;
        const differing = mask ^ letterMask(data.foldedNames, start, end);
        if (bits(differing) > 2 * allowed) continue;
        const edits = distance(letters, data.foldedNames.subarray(start, end), allowed);
        if (edits <= allowed) found.push({ place, edits });
      }
    }
    // Fewest edits first. Among equals the largest, from whichever country of the area it comes.
    found.sort((a, b) => a.edits - b.edits || population(b.place) - population(a.place));
    const names = new Map<string, string>();
    for (const { place } of found) {
      const name = nameOf(data, place);
      const key = fold(name);
      if (!names.has(key)) names.set(key, name);
      if (names.size === LIMIT) break;
    }
    return [...names.values()];
  };

  function population(place: number): number {
    return data.population[place] ?? 0;
  }
}

const decoder = new TextDecoder();

/** The name of a place to show: the English one, or the most usual. */
export function nameOf(data: GazetteerData, place: number): string {
  return decoder.decode(data.names.subarray(data.nameStart[place], data.nameStart[place + 1]));
}

function longestName({ foldedStart }: GazetteerData): number {
  let longest = 0;
  for (let i = 1; i < foldedStart.length; i++) {
    longest = Math.max(longest, (foldedStart[i] ?? 0) - (foldedStart[i - 1] ?? 0));
  }
  return longest;
}

function letterMask(text: Uint8Array, start: number, end: number): number {
  let mask = 0;
  for (let i = start; i < end; i++) mask |= 1 << ((text[i] ?? A) - A);
  return mask;
}

function bits(mask: number): number {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count++;
  return count;
}

/** Optimal string alignment distance. It stops as soon as the result must exceed the limit. */
function createEditDistance(longest: number) {
  const width = longest + 1;
  let before = new Uint8Array(width);
  let previous = new Uint8Array(width);
  let current = new Uint8Array(width);
  return (a: Uint8Array, b: Uint8Array, limit: number): number => {
    for (let j = 0; j <= b.length; j++) previous[j] = j;
    for (let i = 1; i <= a.length; i++) {
      current[0] = i;
      let least = i;
      for (let j = 1; j <= b.length; j++) {
        const same = a[i - 1] === b[j - 1] ? 0 : 1;
        let edits = Math.min(
          (previous[j - 1] ?? 0) + same,
          (previous[j] ?? 0) + 1,
          (current[j - 1] ?? 0) + 1,
        );
        if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
          edits = Math.min(edits, (before[j - 2] ?? 0) + 1);
        }
        current[j] = edits;
        if (edits < least) least = edits;
      }
      if (least > limit) return least;
      [before, previous, current] = [previous, current, before];
    }
    return previous[b.length] ?? 0;
  };
}
