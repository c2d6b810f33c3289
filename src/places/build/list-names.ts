import { fold } from '../../weather/fold.js';
import type { GazetteerSections } from '../gazetteer-file.js';
import { rankingTree } from '../best-first.js';
import { createNameList, listed, NameKind } from '../name-list.js';
import { typedForms } from '../typed-names.js';
import { createWorth } from '../worth.js';
import { foldedNames, Rank } from './city-names.js';
import type { SourcePlace } from './source-places.js';

/** Codes of airports and the like: MUC, NYC. */
const CODE = /^[A-Z]{2,4}$/;

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
  const names = places.flatMap((place, i) => {
    const codes = codesOf(place);
    // A part of a city is suggested like any other place.
    return [...foldedNames({ ...place, section: false }, typedForms)].map(([folded, rank]) => ({
      bytes: Buffer.from(folded),
      place: i,
      kind: kindOf(rank, codes.has(folded)),
    }));
  });
  names.sort((a, b) => Buffer.compare(a.bytes, b.bytes) || a.place - b.place);

  const listStart = new Uint32Array(names.length + 1);
  const home = Array.from({ length: countries }, (): number[] => []);
  for (const [i, { bytes, place }] of names.entries()) {
    listStart[i + 1] = (listStart[i] ?? 0) + bytes.length;
    home[country[place] ?? -1]?.push(i);
  }
  const homeStart = new Uint32Array(countries + 1);
  for (const [i, { length }] of home.entries()) homeStart[i + 1] = (homeStart[i] ?? 0) + length;
  const sections = {
    listStart,
    listNames: Buffer.concat(names.map(({ bytes }) => bytes)),
    list: Uint32Array.from(names, ({ place, kind }) => listed(place, kind)),
    homeStart,
    homeList: Uint32Array.from(home.flat()),
  };
  const worth = createWorth(createNameList(sections), population);
  return {
    ...sections,
    listTree: rankingTree(names.length, worth),
    homeTree: rankingTree(names.length, (item) => worth(sections.homeList[item] ?? 0)),
  };
}

/** The names that are written as codes only. */
function codesOf({ alternateNames }: SourcePlace): Set<string> {
  const isCode = (name: string): boolean => CODE.test(name);
  const codes = new Set(alternateNames.filter(isCode).map(fold));
  for (const name of alternateNames) if (!isCode(name)) codes.delete(fold(name));
  return codes;
}

function kindOf(rank: number, isCode: boolean): NameKind {
  if (rank === Rank.primary) return NameKind.main;
  if (isCode || rank > Rank.alternate) return NameKind.remote;
  return rank === Rank.near ? NameKind.part : NameKind.other;
}
