import type { AreaRecord } from '../data/gazetteer-file.js';
import { NameKind } from '../data/name-list.js';
import { KEYS, valuesOf } from '../data/key-hash.js';
import {
  countryIndex,
  countryOf,
  displayName,
  inRegion,
  populationOf,
  TOWN_POPULATION,
} from '../data/place-record.js';
import { areaNamed, areasNamed, countryNamed } from '../names/countries.js';
import { fold, foldedWords } from '../names/fold.js';
import { isFirstLevel } from '../names/region-names.js';
import { unambiguousName } from '../names/unambiguous-name.js';
import type { PlaceData } from '../place-data.js';
import { readings, type Reading } from '../read/readings.js';
import { placesIn, townsIn, townsOfSimilar, type Suggestion } from '../similar/towns.js';
import { namesEqualTo } from './name-search.js';
import { LARGE_CITY_POPULATION } from './shown-fit.js';
import { namesIn, namesMatching } from './typed-text.js';

/** The code of a country in ISO 3166-1, or of a region. */
const CODE = /^[a-z]{2,3}$/i;
/** The share of the suggestions that are towns of the country or region that the text names, if there are others. */
const SHARE_OF_TOWNS = 1 / 2;
/** Maximum number of these towns before a place that has the name itself, and of other places before the first town. */
const MAX_BEFORE = 2;
/**
 * A region is meant, too, if the population of its largest town is at least this share of that of the largest place of its
 * name. Lower: "hanover" suggests towns of a parish of Jamaica. Higher: "victoria" suggests no town of Australia.
 */
const MIN_TOWN_SHARE = 1 / 20;
/** The same for a place of the name in the region itself, which is then meant: Schwyz, but not Texas City. */
const MIN_OWN_SHARE = 1 / 10;
/** Minimum ratio of the popularity of the largest town to that of a place of the name, if towns of a country come first. */
const COUNTRY_RATIO = 2;
/** The same for a region. Lower: "victoria" suggests Melbourne before Victoria in Canada. */
const REGION_RATIO = 20;
/** Maximum number of places that are sorted as lookups rank them. */
const MAX_SORTED = 60;

/**
 * Returns places whose name begins with a text, the most likely first; undefined for an unknown country. The towns of a
 * country or region that the text names are among the first three. If there are none, the text may be a country or region
 * with spelling errors: returns its largest towns.
 */
export function suggest(
  data: PlaceData,
  text: string,
  limit: number,
  country?: string,
): Suggestion[] | undefined {
  const area = country === undefined ? undefined : areaNamed(data, country);
  if (country !== undefined && !area) return undefined;
  const all = [...readings(text.trim())];
  const [whole] = all.filter(({ kind }) => kind === 'parts' || kind === 'whole');
  if (!whole) return [];
  const names = namesMatching(data, text, whole, area).map(({ name }) => data.nameList.place(name));
  const found = suggestionsFrom(data, whole, names, limit, area);
  if (found.length > 0) return found;
  // "New York USA": shorter names of areas are likelier.
  for (const each of all.filter(({ kind }) => kind === 'after').reverse()) {
    const places = namesIn(data, each, area).map(({ name }) => data.nameList.place(name));
    const inEach = suggestionsFrom(data, each, places, limit, area);
    if (inEach.length > 0) return inEach;
  }
  return similarTownsWithin(data, whole, limit, area);
}

/** Returns the places, each once, together with the towns of the country or region that the reading names. */
function suggestionsFrom(
  data: PlaceData,
  reading: Reading,
  places: number[],
  limit: number,
  area?: AreaRecord,
): Suggestion[] {
  const folded = fold(reading.name);
  const isNamesake = (place: number) => fold(displayName(data, place)) === folded;
  const named = ranked(data, [...new Set(places)]);
  const first = named.slice(0, MAX_SORTED);
  const areas = area ? [] : areasOf(data, reading);
  const exact = areas.length > 0 ? exactPlaces(data, folded) : new Set<number>();
  const namesakes = first.filter((place) => exact.has(place));
  const towns = townsOf(data, reading, areas, namesakes, limit);
  const [largest = -1] = towns;
  const popularityOf = (place = -1) => data.popularity[place] ?? 0;
  const half = Math.ceil(limit * SHARE_OF_TOWNS);
  // "Texas Dept Of Correction" comes after the other towns.
  const isKnown = (place: number) => populationOf(data, place) > 0 || isNamesake(place);
  const ratio = areas[0]?.region === undefined ? COUNTRY_RATIO : REGION_RATIO;
  // "Hidalgo" is a part of the name of a town, and "Leningrad" a former name of a city.
  const isFirst = namesakes.some(
    (place) => popularityOf(place) * (isNamesake(place) ? ratio : 1) > popularityOf(largest),
  );
  const isTown = (place: number) => populationOf(data, place) >= TOWN_POPULATION;
  const before = isFirst ? named.slice(0, MAX_BEFORE) : towns.slice(0, MAX_BEFORE);
  const next = isFirst ? [] : first.filter(isNamesake).filter(isTown).slice(0, 1);
  const order = towns.length > 0 ? [...before, ...next, ...towns.slice(0, half)] : [];
  const others = towns.length > 0 ? [...named.filter(isKnown), ...towns, ...named] : named;
  const cities = new Map<number, string>();
  for (const place of [...order, ...others]) {
    if (cities.size === limit) break;
    const city = cities.has(place) ? undefined : unambiguousName(data, place);
    if (city !== undefined) cities.set(place, city);
  }
  return [...cities].map(([place, city]) => ({ place, city }));
}

/** Returns the places of which a name equals a folded text. */
function exactPlaces(data: PlaceData, folded: string): Set<number> {
  const { nameList } = data;
  const names = namesEqualTo(data, folded).filter(
    ({ name }) => nameList.kind(name) !== NameKind.code,
  );
  return new Set(names.map(({ name }) => nameList.place(name)));
}

/** Sorts the first places that have the same name in the same country as lookups rank them: Springfield. */
function ranked(data: PlaceData, places: number[]): number[] {
  const first = places.slice(0, MAX_SORTED);
  const keys = first.map((place) => {
    return KEYS.city(countryOf(data, place)?.code ?? '', fold(displayName(data, place)));
  });
  const inOrder = new Map<string, number[]>();
  for (const [i, key] of keys.entries()) {
    if (inOrder.has(key) || !keys.includes(key, i + 1)) continue;
    const same = new Set(first.filter((_, at) => keys[at] === key));
    inOrder.set(
      key,
      [...valuesOf(data, key)].filter((place) => same.has(place)),
    );
  }
  return [
    ...first.map((place, i) => inOrder.get(keys[i] ?? '')?.shift() ?? place),
    ...places.slice(MAX_SORTED),
  ];
}

/** Returns the largest towns of areas that a reading names, if none of its places is in them. */
function townsOf(
  data: PlaceData,
  reading: Reading,
  areas: AreaRecord[],
  namesakes: number[],
  limit: number,
): number[] {
  const largest = Math.max(0, ...namesakes.map((place) => populationOf(data, place)));
  const lists = areas.flatMap((area) => {
    const towns: number[] = [];
    for (const place of placesIn(data, area)) if (towns.push(place) === limit) break;
    const people = populationOf(data, towns[0] ?? -1);
    const isShort = CODE.test(reading.name) && people < LARGE_CITY_POPULATION;
    const isLarge = people >= largest * MIN_TOWN_SHARE && !isShort;
    const isMeant = area.region === undefined || reading.within.length > 0 || isLarge;
    const isOwn = (place: number) =>
      area.codes.includes(countryOf(data, place)?.code ?? '') &&
      inRegion(data, place, area.region) &&
      populationOf(data, place) >= people * MIN_OWN_SHARE;
    return isMeant && !namesakes.slice(0, 1).some(isOwn) ? [towns] : [];
  });
  // Georgia is a country and a state: their towns alternate.
  return Array.from({ length: limit }, (_, i) => lists.map((towns) => towns[i]))
    .flat()
    .filter((place) => place !== undefined);
}

/** Returns the country and the first-level regions that a reading names, in the country after it, or whose name begins so. */
function areasOf(data: PlaceData, { name, within }: Reading): AreaRecord[] {
  const words = foldedWords(name);
  // The user still types the last word: "san a" is not Sanaa.
  if (words.length > 1 && words.at(-1)?.length === 1) return [];
  const folded = fold(name);
  const country = fold(within.join(', '));
  const codes = within.length > 0 ? (countryNamed(data, within.join(', '))?.codes ?? []) : [];
  const regions = new Set<number>();
  const [known, ...others] = areasNamed(data, name);
  const areas = others.filter((area) => !known?.also?.includes(area));
  return (known ? [known, ...areas] : []).filter((area) => {
    const {
      codes: [code = ''],
      region,
    } = area;
    if (region === undefined) return within.length === 0 && !CODE.test(name);
    const shown = data.regions[region - 1] ?? '';
    // "per" is a code.
    const isShown = fold(shown) === folded;
    if (CODE.test(name) ? !isShown : isShown && foldedWords(shown).length !== words.length)
      return false;
    if (!isFirstLevel(data, region) || regions.has(region)) return false;
    regions.add(region);
    const { name: countryName = '' } = data.countries[countryIndex(data, code)] ?? {};
    return codes.includes(code) || fold(countryName).startsWith(country);
  });
}

/** Returns the largest towns of the country or region that the text names, or to which it is similar, in the country after it. */
function similarTownsWithin(
  data: PlaceData,
  { name, within }: Reading,
  limit: number,
  area?: AreaRecord,
): Suggestion[] {
  if (within.length === 0) return townsOfSimilar(data, name, limit, area);
  const country = countryNamed(data, within.join(', '));
  // "Adygeya, Respublika"
  if (!country) return townsIn(data, areasNamed(data, [...within, name].join(' ')), limit, area);
  const isIn = !area || area.codes.some((code) => country.codes.includes(code));
  return isIn ? townsOfSimilar(data, name, limit, country) : [];
}
