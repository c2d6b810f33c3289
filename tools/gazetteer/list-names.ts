import { ASCII } from '../../src/text/typography.js';
import { fold } from '../../src/places/names/fold.js';
import type { GazetteerSections } from '../../src/places/data/gazetteer-file.js';
import {
  BLOCK,
  createNameList,
  MAX_BYTES,
  packName,
  NameKind,
} from '../../src/places/data/name-list.js';
import { eachTypedName, nameTexts, Rank } from './city-names.js';
import { groupBy } from './group-by.js';
import { isNative } from './scripts.js';
import { offsetsOf } from './offsets.js';
import type { SourcePlace } from './source-places.js';

/** Codes such as those of airports: MUC, NYC. */
const CODE = /^[A-Z]{2,4}$/;
/** Countries where the main names of cities are English. */
const ENGLISH = new Set('US GB CA AU NZ IE HK SG'.split(' '));
/** Number of first letters that names with the same root have in common. */
const ROOT = 3;
/** Names with the same root that make it common; fewer in scripts other than Latin. */
const SEVERAL = 3;
const SEVERAL_ELSEWHERE = 2;
/** A list of names: `list` has the place and the kind of each name. */
export type SortedNames = Pick<GazetteerSections, 'listBlocks' | 'listNames' | 'list'>;

/** Lists the names of each country. @param country the index of each place's country */
export function namesByCountry(
  nameList: SortedNames,
  country: Uint8Array,
  countries: number,
): Pick<GazetteerSections, 'countryNameStart' | 'countryNames'> {
  const names = createNameList(nameList);
  const home = Array.from({ length: countries }, (): number[] => []);
  for (let name = 0; name < names.length; name++) {
    home[country[names.place(name)] ?? -1]?.push(name);
  }
  return {
    countryNameStart: offsetsOf(home.map(({ length }) => length)),
    countryNames: Uint32Array.from(home.flat()),
  };
}

/**
 * Merges the lists of several parts. The items of a name keep the order of the parts.
 *
 * @param firstPlaces the index of each part's first place among all places
 */
export function mergedNames(lists: SortedNames[], firstPlaces: Uint32Array): SortedNames {
  const readers = lists.map((each, part) => {
    const names = createNameList(each);
    const textOf = (name: number): string | undefined =>
      name < names.length
        ? Buffer.from(names.bytes.buffer, 0, names.read(name)).toString('latin1')
        : undefined;
    return { names, textOf, first: firstPlaces[part] ?? 0, next: 0, text: textOf(0) };
  });
  const length = lists.reduce((sum, { list }) => sum + list.length, 0);
  const list = new Uint32Array(length);
  const sorted: string[] = [];
  for (let i = 0; i < length; i++) {
    const reader = readers.reduce((best, each) =>
      each.text !== undefined && (best.text === undefined || each.text < best.text) ? each : best,
    );
    const { names, first, next, text = '' } = reader;
    list[i] = packName(names.place(next) + first, names.kind(next));
    sorted.push(text);
    reader.next++;
    reader.text = reader.textOf(reader.next);
  }
  return { ...frontCoded(sorted), list };
}

/**
 * Lists every name of every place, sorted by bytes, so that all names with the same beginning are
 * adjacent. A name is a text with one character per byte of its UTF-8, so that sorting texts sorts
 * by bytes. The items of a name have the order of their places.
 */
export function listInOrder(places: SourcePlace[]): SortedNames {
  const texts = nameTexts();
  const items: number[] = [];
  const nameOf: number[] = [];
  const times = new Uint32Array(texts.length);
  for (const [i, place] of places.entries()) {
    const codes = codesOf(place);
    const root = fold(place.name).slice(0, ROOT);
    const isCommon = commonNames(place, texts);
    eachTypedName(place, (name, rank) => {
      const folded = texts[name] ?? '';
      const isRemote = codes.has(folded) || isNickname(folded, root, place.country);
      const isOwn = isNative(folded, place.country) || folded.startsWith(root);
      const kind = kindOf(rank, isRemote, isOwn);
      items.push(packName(i, kind === NameKind.other && !isCommon(folded) ? NameKind.rare : kind));
      nameOf.push(name);
      times[name] = (times[name] ?? 0) + 1;
    });
  }
  const sorted: string[] = [];
  /** The index of the next item of each name in the list. */
  const next = new Uint32Array(texts.length);
  const bytes = texts.map(bytesOf);
  for (const name of inOrder(bytes)) {
    next[name] = sorted.length;
    for (let i = times[name] ?? 0; i > 0; i--) sorted.push(bytes[name] ?? '');
  }
  const list = new Uint32Array(items.length);
  for (const [i, item] of items.entries()) {
    const name = nameOf[i] ?? 0;
    const at = next[name] ?? 0;
    list[at] = item;
    next[name] = at + 1;
  }
  return { ...frontCoded(sorted), list };
}

/** Returns the indices of distinct texts in order. Grouping first makes sorting twice as fast. */
function inOrder(texts: string[]): number[] {
  const groups = groupBy(texts.keys(), (i) => texts[i]?.slice(0, ROOT) ?? '');
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, group]) => group.sort((a, b) => ((texts[a] ?? '') < (texts[b] ?? '') ? -1 : 1)));
}

function bytesOf(text: string): string {
  return ASCII.test(text) ? text : Buffer.from(text).toString('latin1');
}

/** Returns the folded names that occur only as codes. */
function codesOf({ alternateNames }: SourcePlace): Set<string> {
  const isCode = (name: string): boolean => name.length <= 4 && CODE.test(name);
  const codes = new Set(alternateNames.filter(isCode).map(fold));
  if (codes.size === 0) return codes;
  for (const name of alternateNames) if (!isCode(name)) codes.delete(fold(name));
  return codes;
}

/**
 * Returns whether a name is a nickname (Queen City for Cincinnati): the main name is English, and
 * the name is in Latin letters with another first letter.
 */
function isNickname(folded: string, root: string, country: string): boolean {
  return ENGLISH.has(country) && ASCII.test(folded) && !folded.startsWith(root[0] ?? '');
}

/** Creates the check whether several names of a place have the root of a name. */
function commonNames(place: SourcePlace, texts: readonly string[]): (folded: string) => boolean {
  let times: Map<string, number> | undefined;
  return (folded) => {
    // Computed on first use, because it is not needed for most places.
    times ??= timesOfRoots(place, texts);
    const several = ASCII.test(folded) ? SEVERAL : SEVERAL_ELSEWHERE;
    return (times.get(folded.slice(0, ROOT)) ?? 0) >= several;
  };
}

function timesOfRoots(place: SourcePlace, texts: readonly string[]): Map<string, number> {
  const times = new Map<string, number>();
  eachTypedName(place, (name, rank) => {
    const start = texts[name]?.slice(0, ROOT) ?? '';
    if (rank <= Rank.alternate) times.set(start, (times.get(start) ?? 0) + 1);
  });
  return times;
}

/** @param isOwn whether it is in the country's script, or has the main name's root: Venezia */
function kindOf(rank: number, isRemote: boolean, isOwn: boolean): NameKind {
  if (rank === Rank.primary) return NameKind.main;
  if (isRemote || rank > Rank.alternate) return NameKind.code;
  return rank === Rank.near || isOwn ? NameKind.part : NameKind.other;
}

/**
 * Encodes names in the format that `name-list.ts` reads.
 * @param sorted names sorted by their bytes, with one character per byte
 * @throws Error for a name that is too long
 */
function frontCoded(sorted: string[]): Omit<SortedNames, 'list'> {
  const blocks: number[] = [];
  const names = Buffer.alloc(sorted.reduce((sum, name) => sum + name.length + 2, 0));
  let at = 0;
  for (const [i, name] of sorted.entries()) {
    if (name.length > MAX_BYTES) throw new Error(`a name is too long: ${name}`);
    if (i % BLOCK === 0) blocks.push(at);
    const shared = i % BLOCK === 0 ? 0 : sharedLength(sorted[i - 1] ?? '', name);
    names[at++] = shared;
    names[at++] = name.length - shared;
    for (let c = shared; c < name.length; c++) names[at++] = name.charCodeAt(c);
  }
  return { listNames: names.subarray(0, at), listBlocks: Uint32Array.from(blocks) };
}

function sharedLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a.charCodeAt(length) === b.charCodeAt(length)) length++;
  return length;
}
