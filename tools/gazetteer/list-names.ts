import { fold } from '../../src/weather/fold.js';
import type { GazetteerSections } from '../../src/places/gazetteer-file.js';
import { rankingTree } from '../../src/places/best-first.js';
import { createNameList, listed, NameKind } from '../../src/places/name-list.js';
import { createWorth } from '../../src/places/worth.js';
import { Rank, typedNames } from './city-names.js';
import { frontCoded } from './front-coding.js';
import { isNative } from './scripts.js';
import type { SourcePlace } from './source-places.js';

/** Codes of airports and the like: MUC, NYC. */
const CODE = /^[A-Z]{2,4}$/;
const ASCII = /^[\0-\x7f]*$/;

/** The sections of the file that suggestions are made from. */
type NameSections = Pick<
  GazetteerSections,
  'listBlocks' | 'listNames' | 'list' | 'listTree' | 'homeStart' | 'homeList' | 'homeTree'
>;

/**
 * Lists every name of every place in the order of its bytes: all names with one beginning stand
 * together.
 *
 * @param country the number of each place's country
 */
export function listNames(
  places: SourcePlace[],
  { country, standing }: Pick<GazetteerSections, 'country' | 'standing'>,
  countries: number,
): NameSections {
  const nameList = listInOrder(places);
  const ranked = createNameList(nameList);
  const home = Array.from({ length: countries }, (): number[] => []);
  for (let name = 0; name < ranked.length; name++) {
    home[country[ranked.place(name)] ?? -1]?.push(name);
  }
  const homeList = Uint32Array.from(home.flat());
  const worth = createWorth(ranked, standing);
  return {
    ...nameList,
    listTree: rankingTree(ranked.length, worth),
    homeStart: startsOf(home.map(({ length }) => length)),
    homeList,
    homeTree: rankingTree(homeList.length, (item) => worth(homeList[item] ?? 0)),
  };
}

/**
 * The list itself. A name is its UTF-8 with one character for each byte: so the quick sort of texts puts
 * names in the order of their bytes. The items of one name keep the order of their places.
 */
function listInOrder(
  places: SourcePlace[],
): Pick<GazetteerSections, 'listBlocks' | 'listNames' | 'list'> {
  /** The number of each name, in the order in which they come. */
  const numbers = new Map<string, number>();
  const items: number[] = [];
  const nameOf: number[] = [];
  const times: number[] = [];
  for (const [i, place] of places.entries()) {
    const codes = codesOf(place);
    for (const [folded, rank] of typedNames(place)) {
      const name = bytesOf(folded);
      const number = numbers.get(name) ?? numbers.size;
      if (number === numbers.size) numbers.set(name, number);
      items.push(listed(i, kindOf(rank, codes.has(folded), isNative(folded, place.country))));
      nameOf.push(number);
      times[number] = (times[number] ?? 0) + 1;
    }
  }
  const sorted: string[] = [];
  /** Where the next item of each name stands in the list. */
  const next = new Uint32Array(numbers.size);
  for (const name of [...numbers.keys()].sort()) {
    const number = numbers.get(name) ?? 0;
    next[number] = sorted.length;
    for (let i = times[number] ?? 0; i > 0; i--) sorted.push(name);
  }
  const list = new Uint32Array(items.length);
  for (const [i, item] of items.entries()) {
    const name = nameOf[i] ?? 0;
    const at = next[name] ?? 0;
    list[at] = item;
    next[name] = at + 1;
  }
  const coded = frontCoded(sorted);
  return { listNames: coded.names, listBlocks: coded.blockStart, list };
}

function bytesOf(text: string): string {
  return ASCII.test(text) ? text : Buffer.from(text).toString('latin1');
}

/** Where each of several items begins that follow one another, and where the last ends. */
function startsOf(lengths: number[]): Uint32Array {
  const starts = new Uint32Array(lengths.length + 1);
  for (const [i, length] of lengths.entries()) starts[i + 1] = (starts[i] ?? 0) + length;
  return starts;
}

/** The names that are written as codes only. */
function codesOf({ alternateNames }: SourcePlace): Set<string> {
  const isCode = (name: string): boolean => CODE.test(name);
  const codes = new Set(alternateNames.filter(isCode).map(fold));
  if (codes.size === 0) return codes;
  for (const name of alternateNames) if (!isCode(name)) codes.delete(fold(name));
  return codes;
}

function kindOf(rank: number, isCode: boolean, isNative: boolean): NameKind {
  if (rank === Rank.primary) return NameKind.main;
  if (isCode || rank > Rank.alternate) return NameKind.remote;
  return rank === Rank.near || isNative ? NameKind.part : NameKind.other;
}
