import { ASCII } from '../../text/typography.js';
import type { AreaRecord } from '../data/gazetteer-file.js';
import { NameKind } from '../data/name-list.js';
import { KEYS, valuesOf } from '../data/key-hash.js';
import {
  countryIndex,
  countryOf,
  displayName,
  inRegion,
  placesIn,
  populationOf,
  regionNamesOf,
  TOWN_POPULATION,
} from '../data/place-record.js';
import { areaNamed, areasNamed, countryNamed } from '../names/countries.js';
import { fold, foldedWords, foldTyped } from '../names/fold.js';
import { isFirstLevel } from '../names/region-names.js';
import type { PlaceData } from '../place-data.js';
import { readings, type Reading } from '../read/readings.js';
import { areaFilter } from '../read/within.js';
import { namesBeginningWith, namesEqualTo } from './name-search.js';
import { byShownName, LARGE_CITY_POPULATION } from './shown-fit.js';
import { suggestionsOf, townsIn, type Suggestion } from './suggestions.js';

/** The kinds of readings whose name can also be that of a country or region. */
const NAMES_AREAS = new Set<Reading['kind']>(['parts', 'whole', 'after']);
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
 * country or region that the text names are among the first three. If there are none, the places are those of the next
 * readings of the text, and then the largest towns of a country or region with a similar name.
 */
export function suggest(
  data: PlaceData,
  text: string,
  limit: number,
  country?: string,
): Suggestion[] | undefined {
  const area = country === undefined ? undefined : areaNamed(data, country);
  if (country !== undefined && !area) return undefined;
  let begun = placesBegunBy(data, text, area);
  for (const reading of readings(text.trim())) {
    const places = new Set([...placesOf(data, reading, area), ...begun]);
    const found =
      reading.kind === 'area'
        ? townsIn(data, areasNamed(data, reading.name), limit, area)
        : suggestionsFrom(data, reading, [...places], limit, area);
    if (found.length > 0) return found;
    begun = [];
  }
  return similarTowns(data, text, limit, area);
}

/** Returns the places whose names a text begins, the most likely first. */
function placesBegunBy(data: PlaceData, text: string, area?: AreaRecord): number[] {
  const folded = foldTyped(text);
  const begun = namesBeginningWith(data, folded, area);
  // Shown names are in Latin letters, so a text in another script begins none of them.
  const sorted = ASCII.test(folded) ? byShownName(data, text, folded, begun) : begun;
  // The data may have a name without the Arabic article: الخرطوم.
  const equal = fold(text) === folded ? [] : namesEqualTo(data, fold(text), area);
  return [...sorted, ...equal].map(({ name }) => data.nameList.place(name));
}

/** Returns the places of a reading's name that lie in all of its areas. The last of them may be incomplete: "Springfield, Ill". */
function placesOf(data: PlaceData, reading: Reading, area?: AreaRecord): number[] {
  const { name, within } = reading;
  if (within.length === 0) return [];
  // "Iran, Islamic Republic of" is one country.
  const whole = within.join(', ');
  return namesEqualTo(data, fold(name), area)
    .map((each) => data.nameList.place(each.name))
    .filter(
      (place) => within.every((text) => liesIn(data, place, text)) || liesIn(data, place, whole),
    );
}

/** Returns whether a place lies in the area that a text names, or whose English name begins with the text. */
function liesIn(data: PlaceData, place: number, text: string): boolean {
  const { code = '', name = '' } = countryOf(data, place) ?? {};
  const folded = fold(text);
  const isBegun = (area = '') => fold(area).startsWith(folded);
  if ([name, ...regionNamesOf(data, place)].some(isBegun)) return true;
  // Without the towns near a city of that name: users choose among suggestions of all regions.
  return areaFilter(data, text, { codes: [code] }, Infinity)?.(place) ?? false;
}

/** Returns the places, together with the towns of the country or region that the reading names. */
function suggestionsFrom(
  data: PlaceData,
  reading: Reading,
  places: number[],
  limit: number,
  area?: AreaRecord,
): Suggestion[] {
  const folded = fold(reading.name);
  const isNamesake = (place: number) => fold(displayName(data, place)) === folded;
  const named = ranked(data, places);
  const areas = area || !NAMES_AREAS.has(reading.kind) ? [] : areasOf(data, reading);
  const exact = areas.length > 0 ? exactPlaces(data, folded) : new Set<number>();
  const namesakes = named.slice(0, MAX_SORTED).filter((place) => exact.has(place));
  const towns = townsOf(data, reading, areas, namesakes, limit);
  const [largest] = towns;
  if (largest === undefined) return suggestionsOf(data, named, limit);
  const popularityOf = (place: number) => data.popularity[place] ?? 0;
  const ratio = areas[0]?.region === undefined ? COUNTRY_RATIO : REGION_RATIO;
  // "Hidalgo" is a part of the name of a town, and "Leningrad" a former name of a city.
  const isFirst = namesakes.some(
    (place) => popularityOf(place) * (isNamesake(place) ? ratio : 1) > popularityOf(largest),
  );
  const namesake = namesakes.find(
    (place) => isNamesake(place) && populationOf(data, place) >= TOWN_POPULATION,
  );
  const before = isFirst
    ? named.slice(0, MAX_BEFORE)
    : [...towns.slice(0, MAX_BEFORE), namesake ?? largest];
  const half = towns.slice(0, Math.ceil(limit * SHARE_OF_TOWNS));
  // "Texas Dept Of Correction" comes after the other towns.
  const known = named.filter((place) => populationOf(data, place) > 0 || isNamesake(place));
  return suggestionsOf(data, [...before, ...half, ...known, ...towns, ...named], limit);
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
  const left = new Set(first);
  const keyOf = (place: number) =>
    KEYS.city(countryOf(data, place)?.code ?? '', fold(displayName(data, place)));
  const sorted = first.map((place) => {
    const key = keyOf(place);
    const next = valuesOf(data, key).find((each) => left.has(each) && keyOf(each) === key) ?? place;
    left.delete(next);
    return next;
  });
  return [...sorted, ...places.slice(MAX_SORTED)];
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
  // The user still types the last word: "san a" is not Sanaa. A whole text with a comma names no area.
  if (name.includes(',')) return [];
  if (words.length > 1 && words.at(-1)?.length === 1) return [];
  const folded = fold(name);
  const country = fold(within.join());
  const codes = within.length > 0 ? (countryNamed(data, within.join(', '))?.codes ?? []) : [];
  const [known, ...others] = areasNamed(data, name);
  const areas = [known, ...others.filter((area) => !known?.also?.includes(area))];
  const regions = new Set<number>();
  return areas.filter((area) => {
    if (!area) return false;
    const {
      codes: [code = ''],
      region,
    } = area;
    if (region === undefined) return within.length === 0 && !CODE.test(name);
    const shown = data.regions[region - 1] ?? '';
    const isShown = fold(shown) === folded;
    // "per" is a code, and "Georgetown" is not George Town.
    const isSpelled = isShown && foldedWords(shown).length === words.length;
    if (CODE.test(name) ? !isShown : isShown && !isSpelled) return false;
    if (!isFirstLevel(data, region) || regions.has(region)) return false;
    regions.add(region);
    const { name: countryName = '' } = data.countries[countryIndex(data, code)] ?? {};
    return codes.includes(code) || fold(countryName).startsWith(country);
  }) as AreaRecord[];
}

/** Returns the largest towns of the country or region that the text names, or to which it is similar, in the country after it. */
function similarTowns(
  data: PlaceData,
  text: string,
  limit: number,
  area?: AreaRecord,
): Suggestion[] {
  const [{ name, within }] = [...readings(text.trim())] as [Reading];
  const country = countryNamed(data, within.join(', '));
  if (within.length > 0 && !country) {
    // "Adygeya, Respublika"
    return townsIn(data, areasNamed(data, [...within, name].join(' ')), limit, area);
  }
  if (country && area && !area.codes.some((code) => country.codes.includes(code))) return [];
  const similar = data.similarAreas(name).map((each) => each.area);
  const areas = [...areasNamed(data, name), ...similar];
  return townsIn(data, areas, limit, country ?? area);
}
