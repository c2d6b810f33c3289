import type { AreaRecord, GazetteerData } from './gazetteer-file.js';
import { inRegion, type Within } from './in-area.js';
import type { PartOf } from './part-of.js';
import type { RegionNames } from './region-names.js';

/** More words have few regions: "Newfoundland and Labrador". */
const MOST_WORDS = 4;
/** 新疆维吾尔自治区 */
const MOST_SIGNS = 8;
/** "Woolwich London": what stands last may be a town that the place is beside. Smaller ones have words as names. */
const TOWN_PEOPLE = 15_000;
const NO_SPACES = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー]{4,}$/u;

type Named = (name: string, area: AreaRecord, within: Within) => number | undefined;

/**
 * Finds a place by its name and region without a comma between them: "Portland OR", "Московская область
 * Химки", 广东省广州市. Undefined when no such region has a place of that name.
 */
export type WithoutComma = (city: string, area: AreaRecord, named: Named) => number | undefined;

export function createWithoutComma(
  data: GazetteerData,
  regionNames: RegionNames,
  partOf: PartOf,
): WithoutComma {
  return (city, area, named) => {
    const hasWords = !NO_SPACES.test(city);
    for (const [name, region] of hasWords ? byWords(city) : bySigns(city)) {
      const numbers = area.codes.flatMap((code) => [...regionNames.withoutComma(code, region)]);
      const within: Within | undefined =
        numbers.length > 0
          ? (each) => numbers.some((number) => inRegion(data, each, number))
          : hasWords && city.endsWith(region)
            ? partOf(region, area, TOWN_PEOPLE)
            : undefined;
      const place = within && named(name, area, within);
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
