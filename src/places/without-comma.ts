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
    const parts = [...(hasWords ? byWords(city) : bySigns(city))];
    const find = (name: string, within: Within | undefined): number | undefined =>
      within && named(name, area, within);
    for (const { name, region, isBehind } of parts) {
      const place = find(name, inRegions(region, area, isBehind));
      if (place !== undefined) return place;
    }
    for (const { name, region, isBehind } of parts) {
      const place = find(name, isBehind ? partOf(region, area, TOWN_PEOPLE) : undefined);
      if (place !== undefined) return place;
    }
    return undefined;
  };

  function inRegions(text: string, area: AreaRecord, isBehind: boolean): Within | undefined {
    // Nobody writes "NE Orleans": before a name stands the whole name of a region.
    const numbers = area.codes.flatMap((code) => [
      ...(isBehind ? regionNames.behindName(code, text) : regionNames.byName(code, text)),
    ]);
    if (numbers.length === 0) return undefined;
    return (place) => numbers.some((number) => inRegion(data, place, number));
  }
}

/** A text as a name, and a region after or before it. */
interface Parted {
  name: string;
  region: string;
  isBehind: boolean;
}

/** Every way to part a text, longer regions first. */
function* byWords(city: string): Generator<Parted> {
  const words = city.split(' ');
  const most = Math.min(MOST_WORDS, words.length - 1);
  const part = (from: number, to?: number): string => words.slice(from, to).join(' ');
  for (let n = most; n > 0; n--) yield { name: part(0, -n), region: part(-n), isBehind: true };
  for (let n = most; n > 0; n--) yield { name: part(n), region: part(0, n), isBehind: false };
}

/** In Chinese and Japanese the region comes first. */
function* bySigns(city: string): Generator<Parted> {
  for (let n = Math.min(MOST_SIGNS, city.length - 2); n > 1; n--)
    yield { name: city.slice(n), region: city.slice(0, n), isBehind: false };
}
