import { foldOnce } from './fold-once.js';
import type { GazetteerSections } from '../../src/places/gazetteer-file.js';
import { rankingTree } from '../../src/places/best-first.js';
import { createNameList, listed, NameKind } from '../../src/places/name-list.js';
import { createWorth } from '../../src/places/worth.js';
import { Rank, typedNames } from './city-names.js';
import type { SourcePlace } from './source-places.js';

/** Codes of airports and the like: MUC, NYC. */
const CODE = /^[A-Z]{2,4}$/;
const ASCII = /^[\0-\x7f]*$/;

/** The sections of the file that suggestions are made from. */
type NameSections = Pick<
  GazetteerSections,
  'listStart' | 'listNames' | 'list' | 'listTree' | 'homeStart' | 'homeList' | 'homeTree'
>;

/**
 * Lists every name of every place in the order of its bytes: all names with one beginning stand
 * together.
 *
 * @param country the number of each place's country
 */
export function listNames(
  places: SourcePlace[],
  { country, population }: Pick<GazetteerSections, 'country' | 'population'>,
  countries: number,
): NameSections {
  const named = placesByName(places);
  const names = [...named.keys()].sort();
  const list = names.flatMap((name) => named.get(name) ?? []);
  const bytes = names.flatMap((name) => named.get(name)?.map(() => name) ?? []);
  const nameList = {
    listStart: startsOf(bytes.map(({ length }) => length)),
    listNames: Buffer.from(bytes.join(''), 'latin1'),
    list: Uint32Array.from(list),
  };
  const ranked = createNameList(nameList);
  const home = Array.from({ length: countries }, (): number[] => []);
  for (let name = 0; name < ranked.length; name++) {
    home[country[ranked.place(name)] ?? -1]?.push(name);
  }
  const homeList = Uint32Array.from(home.flat());
  const worth = createWorth(ranked, population);
  return {
    ...nameList,
    listTree: rankingTree(ranked.length, worth),
    homeStart: startsOf(home.map(({ length }) => length)),
    homeList,
    homeTree: rankingTree(homeList.length, (item) => worth(homeList[item] ?? 0)),
  };
}

/**
 * The places of each name, as the list numbers them. A name is its UTF-8 with one character for each byte:
 * so the quick sort of texts puts names in the order of their bytes.
 */
function placesByName(places: SourcePlace[]): Map<string, number[]> {
  const named = new Map<string, number[]>();
  for (const [i, place] of places.entries()) {
    const codes = codesOf(place);
    for (const [folded, rank] of typedNames(place)) {
      const item = listed(i, kindOf(rank, codes.has(folded)));
      const known = named.get(folded);
      if (known) known.push(item);
      else named.set(folded, [item]);
    }
  }
  return new Map(Array.from(named, ([folded, items]) => [bytesOf(folded), items]));
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
  const codes = new Set(alternateNames.filter(isCode).map(foldOnce));
  if (codes.size === 0) return codes;
  for (const name of alternateNames) if (!isCode(name)) codes.delete(foldOnce(name));
  return codes;
}

function kindOf(rank: number, isCode: boolean): NameKind {
  if (rank === Rank.primary) return NameKind.main;
  if (isCode || rank > Rank.alternate) return NameKind.remote;
  return rank === Rank.near ? NameKind.part : NameKind.other;
}
