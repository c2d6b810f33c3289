import type { AreaRecord, GazetteerData } from './gazetteer-file.js';
import { inRegion, type Within } from './in-area.js';
import type { RegionNames } from './region-names.js';

/** More words have few regions: "Newfoundland and Labrador". */
const MOST_WORDS = 4;
/** 新疆维吾尔自治区 */
const MOST_SIGNS = 8;
const NO_SPACES = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー]{4,}$/u;

type Named = (name: string, area: AreaRecord, within: Within) => number | undefined;

/**
 * Finds a place by its name and region without a comma between them: "Portland OR", "Московская область
 * Химки", 广东省广州市. Undefined when no such region has a place of that name.
 */
export type WithoutComma = (city: string, area: AreaRecord, named: Named) => number | undefined;

export function createWithoutComma(data: GazetteerData, regionNames: RegionNames): WithoutComma {
  return (city, area, named) => {
    for (const [name, region] of NO_SPACES.test(city) ? bySigns(city) : byWords(city)) {
      const numbers = area.codes.flatMap((code) => [...regionNames.withoutComma(code, region)]);
      if (numbers.length === 0) continue;
      const place = named(name, area, (each) =>
        numbers.some((number) => inRegion(data, each, number)),
      );
      if (place !== undefined) return place;
    }
    return undefined;
  };
}

/** Every way to part a text into a name and a region after or before it; longer regions first. */
function* byWords(city: string): Generator<[name: string, region: string]> {
  const words = city.split(' ');
  const most = Math.min(MOST_WORDS, words.length - 1);
  for (let n = most; n > 0; n--) yield [words.slice(0, -n).join(' '), words.slice(-n).join(' ')];
  for (let n = most; n > 0; n--) yield [words.slice(n).join(' '), words.slice(0, n).join(' ')];
}

/** In Chinese and Japanese the region comes first. */
function* bySigns(city: string): Generator<[name: string, region: string]> {
  for (let n = Math.min(MOST_SIGNS, city.length - 2); n > 1; n--)
    yield [city.slice(n), city.slice(0, n)];
}
