import { fold } from '../weather/fold.js';
import { firstNotLess } from './ascending.js';
import { createEditDistance } from './edit-distance.js';
import type { AreaRecord, GazetteerData } from './gazetteer-file.js';
import { inRegion } from './in-area.js';
import { NameKind, type NameList } from './name-list.js';
import { nameOf } from './name-of.js';
import { createWorth } from './worth.js';

/** Gives up to three city names of the area that are similar to the name, likeliest first. */
export type NearNames = (name: string, area: AreaRecord) => string[];

const LIMIT = 3;
/** Shorter names are one edit away from too many others. */
const MIN_LENGTH = 3;
/** Longer ones are not compared: nobody mistypes them, and each letter costs time. */
const MAX_LENGTH = 40;
/** A name with one more edit must be worth so many times more. */
const EDIT = 64;
/** What is so much less likely than the likeliest is no help: who writes Berlinn does not mean Börfink. */
const LEAST_SHARE = 1 / 1000;
const ASCII = /^[\0-\x7f]*$/;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

interface Found {
  place: number;
  score: number;
}

/**
 * Similar names by edit distance, among all names of the area's places. Names of up to five letters may differ by one
 * edit, of up to nine by two, longer ones by three. The cost is bounded: one pass over the country's names, and most
 * of them are dismissed by their length and their letters.
 */
export function createNearNames(data: GazetteerData, names: NameList): NearNames {
  const { homeStart, homeList } = data;
  const distance = createEditDistance(4 * MAX_LENGTH);
  const worth = createWorth(names, data.standing);
  const decoder = new TextDecoder();

  return (name, area) => {
    const folded = fold(name);
    if (folded.length < MIN_LENGTH || folded.length > MAX_LENGTH) return [];
    const found: Found[] = [];
    for (const code of area.codes) {
      const country = data.countries.findIndex((record) => record.code === code);
      const [first, end] = [homeStart[country] ?? 0, homeStart[country + 1] ?? 0];
      for (const each of similar(folded, first, end)) {
        if (area.region === undefined || inRegion(data, each.place, area.region)) found.push(each);
      }
    }
    found.sort((a, b) => b.score - a.score);
    const shown = new Map<string, string>();
    const least = LEAST_SHARE * (found[0]?.score ?? 0);
    for (const { place, score } of found) {
      if (score < least) break;
      const text = nameOf(data, place);
      const key = fold(text);
      if (!shown.has(key)) shown.set(key, text);
      if (shown.size === LIMIT) break;
    }
    return [...shown.values()];
  };

  function similar(folded: string, first: number, end: number): Found[] {
    const isAscii = ASCII.test(folded);
    const letters = unitsOf(folded);
    const allowed = letters.length < 6 ? 1 : letters.length < 10 ? 2 : 3;
    const mask = letterMask(letters, letters.length);
    const bytes = Buffer.byteLength(folded);
    // A letter takes up to three bytes.
    const slack = isAscii ? allowed : 3 * allowed;
    const found: Found[] = [];
    for (const [from, to] of beginningAlike(folded)) {
      const last = firstNotLess(homeList, to, first, end);
      for (let item = firstNotLess(homeList, from, first, end); item < last; item++) {
        compare(homeList[item] ?? 0);
      }
    }
    return found;

    function compare(name: number): void {
      if (names.kind(name) === NameKind.remote) return;
      const length = names.read(name);
      if (Math.abs(length - bytes) > slack) return;
      if (isAscii && bits(mask ^ letterMask(names.bytes, length)) > 2 * allowed) return;
      const text = names.bytes.subarray(0, length);
      const edits = distance(letters, isAscii ? text : unitsOf(decoder.decode(text)), allowed);
      if (edits <= allowed) {
        found.push({ place: names.place(name), score: (worth(name) + 1) / EDIT ** edits });
      }
    }
  }

  /** The ranges of names that have at most one edit in their first letters: few mistype a name from its beginning. */
  function beginningAlike(folded: string): [from: number, to: number][] {
    const [a = '', b = '', c = ''] = folded;
    const beginnings = new Set([a, b]);
    if (ASCII.test(folded)) {
      for (const letter of LETTERS) {
        if (!beginnings.has(letter)) beginnings.add(letter + a).add(letter + b + c);
      }
    }
    return Array.from(beginnings, (beginning) => {
      const { from, to } = names.range(beginning);
      return [from, to];
    });
  }
}

function unitsOf(text: string): Uint16Array {
  return Uint16Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));
}

function letterMask(text: ArrayLike<number>, length: number): number {
  let mask = 0;
  for (let i = 0; i < length; i++) mask |= 1 << ((text[i] ?? 0) & 31);
  return mask;
}

function bits(mask: number): number {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count++;
  return count;
}
