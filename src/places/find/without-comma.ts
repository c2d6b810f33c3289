import type { AreaRecord } from '../data/gazetteer-file.js';
import { inRegion, TOWN_POPULATION } from '../data/place-record.js';
import { regionsBehindName, regionsByName } from '../names/region-names.js';
import type { PlaceData } from '../place-data.js';
import { areaFilter, type PlaceFilter } from './exact-match.js';
import { findNamed } from './find-named.js';

/** Maximum number of words that are tried as a region's name. Few regions have more. */
const MAX_WORDS = 4;
/** Characters of the longest region's name in Chinese: 新疆维吾尔自治区. */
const MAX_CHARACTERS = 8;
const NO_SPACES = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー]{4,}$/u;

/**
 * Finds a place by its name and region without a comma between them: "Portland OR", "Московская область
 * Химки", 广东省广州市. Returns undefined if no region has a place of that name.
 */
export function findWithoutComma(
  data: PlaceData,
  city: string,
  area: AreaRecord,
): number | undefined {
  const parts = [...waysToSplit(city)];
  const firstOf = (filterOf: (parts: NameWithRegion) => PlaceFilter | undefined) => {
    for (const each of parts) {
      const within = filterOf(each);
      const place = within && findNamed(data, each.name, area, within);
      if (place !== undefined) return place;
    }
    return undefined;
  };
  return (
    firstOf((each) => inRegions(data, each, area)) ??
    // "Woolwich London": a town that is nearby. Names of smaller places are often words.
    firstOf(({ region, isBehind }) =>
      isBehind ? areaFilter(data, region, area, TOWN_POPULATION) : undefined,
    )
  );
}

function inRegions(
  data: PlaceData,
  { region, isBehind }: NameWithRegion,
  { codes }: AreaRecord,
): PlaceFilter | undefined {
  // Only the full name of a region precedes a town's name: "NE Orleans" does not mean Nebraska.
  const find = isBehind ? regionsBehindName : regionsByName;
  const numbers = find(data, codes, region);
  if (numbers.length === 0) return undefined;
  return (place) => numbers.some((number) => inRegion(data, place, number));
}

/** A text, split into a name and a region. `isBehind`: the region follows the name. */
interface NameWithRegion {
  name: string;
  region: string;
  isBehind: boolean;
}

/** Yields every way to split a text into a name and a region, longer regions first. */
function* waysToSplit(city: string): Generator<NameWithRegion> {
  const hasSpaces = !NO_SPACES.test(city);
  const [separator, max, min] = hasSpaces ? [' ', MAX_WORDS, 1] : ['', MAX_CHARACTERS, 2];
  const parts = city.split(separator);
  const part = (from: number, to?: number): string => parts.slice(from, to).join(separator);
  const longest = Math.min(max, parts.length - min);
  // In Chinese and Japanese, the region comes first.
  for (let n = hasSpaces ? longest : 0; n > 0; n--) {
    yield { name: part(0, -n), region: part(-n), isBehind: true };
  }
  for (let n = longest; n >= min; n--) {
    yield { name: part(n), region: part(0, n), isBehind: false };
  }
}
