import { fold } from '../../src/places/fold.js';
import type { GazetteerSections } from '../../src/places/gazetteer-file.js';
import { buildSegmentTree } from '../../src/places/segment-tree.js';
import { createNameList, packName, NameKind } from '../../src/places/name-list.js';
import { createNameScore } from '../../src/places/name-score.js';
import { eachTypedName, nameTexts, Rank } from './city-names.js';
import { frontCoded } from './front-coding.js';
import { isNative } from './scripts.js';
import type { SourcePlace } from './source-places.js';
import { offsetsOf } from './offsets.js';

/** Codes such as those of airports: MUC, NYC. */
const CODE = /^[A-Z]{2,4}$/;
/** Countries where the main names of cities are English. */
const ENGLISH = new Set('US GB CA AU NZ IE HK SG'.split(' '));
/** Number of first letters that names with the same root have in common. */
const ROOT = 3;
/** Number of names with the same root that makes the root common; fewer in scripts other than Latin. */
const SEVERAL = 3;
const SEVERAL_ELSEWHERE = 2;
const ASCII = /^[\0-\x7f]*$/;

/**
 * Builds the name list: every name of every place, sorted by bytes, so that all names with the same beginning are
 * adjacent.
 *
 * @param country the index of each place's country
 */
export function listNames(
  places: SourcePlace[],
  { country, popularity }: Pick<GazetteerSections, 'country' | 'popularity'>,
  countries: number,
) {
  const nameList = listInOrder(places);
  const ranked = createNameList(nameList);
  const home = Array.from({ length: countries }, (): number[] => []);
  for (let name = 0; name < ranked.length; name++) {
    home[country[ranked.place(name)] ?? -1]?.push(name);
  }
  const countryNames = Uint32Array.from(home.flat());
  const scoreOf = createNameScore(ranked, popularity);
  return {
    ...nameList,
    listTree: buildSegmentTree(ranked.length, scoreOf),
    countryNameStart: offsetsOf(home.map(({ length }) => length)),
    countryNames,
    countryNameTree: buildSegmentTree(countryNames.length, (item) =>
      scoreOf(countryNames[item] ?? 0),
    ),
  };
}

/**
 * Builds the sorted list. A name is a text with one character per byte of its UTF-8, so that sorting texts sorts by
 * bytes. The items of a name have the order of their places.
 */
function listInOrder(
  places: SourcePlace[],
): Pick<GazetteerSections, 'listBlocks' | 'listNames' | 'list'> {
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
  const coded = frontCoded(sorted);
  return { listNames: coded.names, listBlocks: coded.blockStart, list };
}

/** Returns the indices of distinct texts in the order of the texts. */
function inOrder(texts: string[]): number[] {
  const indices = new Map(texts.map((text, i) => [text, i]));
  return [...texts].sort().map((text) => indices.get(text) ?? 0);
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
 * Returns whether a name is a nickname (Queen City for Cincinnati): the main name is English, and the name is in Latin
 * letters with another first letter.
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

/** @param isOwn whether the name is in the country's script, or has the root of the main name: Venezia for Venice */
function kindOf(rank: number, isRemote: boolean, isOwn: boolean): NameKind {
  if (rank === Rank.primary) return NameKind.main;
  if (isRemote || rank > Rank.alternate) return NameKind.code;
  return rank === Rank.near || isOwn ? NameKind.part : NameKind.other;
}
