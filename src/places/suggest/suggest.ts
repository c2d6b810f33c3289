import type { AreaRecord } from '../data/gazetteer-file.js';
import {
  countryIndex,
  displayName,
  inRegion,
  populationOf,
  TOWN_POPULATION,
} from '../data/place-record.js';
import { areaNamed, areasNamed, countryNamed } from '../names/countries.js';
import { fold } from '../names/fold.js';
import { unambiguousName } from '../names/unambiguous-name.js';
import type { PlaceData } from '../place-data.js';
import { townsIn, townsOfSimilar, type Suggestion } from '../similar/towns.js';
import type { ScoredName } from './name-search.js';
import { LARGE_CITY_POPULATION } from './shown-fit.js';
import { namesIn, namesMatching, partsOf, withoutComma, type NameParts } from './typed-text.js';

/** The code of a country in ISO 3166-1. */
const CODE = /^[a-z]{2,3}$/i;
/** The share of the suggestions that are towns of the country or region that the text names, if there are others. */
const SHARE_OF_TOWNS = 1 / 2;
/** Maximum number of these towns before a town that has the name of the region: Ontario in California. */
const TOWNS_BEFORE_NAMESAKE = 2;
/**
 * Minimum ratio of the population of a region's largest town to that of each place whose name begins with the region's. Lower:
 * "hanover" suggests towns of a parish of Jamaica. Higher: "florida" does not suggest Miami.
 */
const TOWN_RATIO = 10;

/**
 * Returns places whose name begins with a text, the most likely first; undefined for an unknown country. If there are
 * none, the text may be a country or region with spelling errors: returns its largest towns.
 */
export function suggest(
  data: PlaceData,
  text: string,
  limit: number,
  country?: string,
): Suggestion[] | undefined {
  const area = country === undefined ? undefined : areaNamed(data, country);
  if (country !== undefined && !area) return undefined;
  const parts = partsOf(text);
  const { name } = parts;
  const named = namesMatching(data, text, area);
  const found = suggestionsFrom(data, named, limit, area ? [] : townsOf(data, parts, limit), name);
  const towns = area ? [] : townsOfLargeRegion(data, parts, limit, found);
  if (towns.length > 0) return suggestionsFrom(data, named, limit, towns, name);
  if (found.length > 0) return found;
  for (const each of withoutComma(text)) {
    const within = area ? [] : townsOf(data, each, limit);
    const inEach = suggestionsFrom(data, namesIn(data, each, area), limit, within, each.name);
    if (inEach.length > 0) return inEach;
  }
  return similarTownsWithin(data, parts, limit, area);
}

/**
 * Returns the largest towns of the country, or of the region in a country, that the text names, if it names no city: India,
 * "Nevada, US", but neither Granada (Grenada) nor "Schwyz, Switzerland".
 */
function townsOf(data: PlaceData, parts: NameParts, limit: number): Suggestion[] {
  const { name, within } = parts;
  // "per" is a code, and the beginning of Perth.
  if (CODE.test(name)) return [];
  const area = within.length === 0 ? countryNamed(data, name) : regionOf(data, parts);
  if (!area) return [];
  const folded = fold(name);
  const cities = namesIn(data, parts)
    .map((each) => data.nameList.place(each.name))
    .filter((place) => fold(displayName(data, place)) === folded);
  const [first = -1] = cities;
  const isCity =
    cities.some((place) => populationOf(data, place) >= LARGE_CITY_POPULATION) ||
    (area.region !== undefined && inRegion(data, first, area.region));
  return isCity ? [] : townsIn(data, [area], limit);
}

/** Returns the largest towns of the region that the text names without a country, if they are far larger than what is found. */
function townsOfLargeRegion(
  data: PlaceData,
  parts: NameParts,
  limit: number,
  found: Suggestion[],
): Suggestion[] {
  const isAlone = parts.within.length === 0 && !CODE.test(parts.name);
  const region = isAlone ? regionOf(data, parts) : undefined;
  const towns = region ? townsIn(data, [region], limit) : [];
  const [largest] = towns.map(({ place }) => populationOf(data, place) / TOWN_RATIO);
  const isSmall = ({ place }: Suggestion) => populationOf(data, place) <= (largest ?? 0);
  return found.every(isSmall) ? towns : [];
}

/** Returns the first-level region of this name in the country that follows it, or whose English name begins so, or anywhere. */
function regionOf(data: PlaceData, { name, within }: NameParts): AreaRecord | undefined {
  const whole = within.join(', ');
  const [begun, codes] = [fold(whole), countryNamed(data, whole)?.codes ?? []];
  return areasNamed(data, name).find(({ codes: [code = ''], region }) => {
    const { name: country = '' } = data.countries[countryIndex(data, code)] ?? {};
    const isIn = codes.includes(code) || fold(country).startsWith(begun);
    return isIn && region !== undefined && data.division.includes(region);
  });
}

/** Returns the largest towns of the country or region that the text names, or to which it is similar, in the country after it. */
function similarTownsWithin(
  data: PlaceData,
  { name, within }: NameParts,
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

/** Returns the places of the first names, each once, after the first half of the towns, and before the others. */
function suggestionsFrom(
  data: PlaceData,
  names: ScoredName[],
  limit: number,
  towns: Suggestion[],
  text: string,
): Suggestion[] {
  const before = towns.slice(0, Math.ceil(limit * SHARE_OF_TOWNS));
  const cityOf = new Map(before.map(({ place, city }) => [place, city]));
  for (const { name } of names) {
    if (cityOf.size === limit) break;
    const place = data.nameList.place(name);
    const city = cityOf.has(place) ? undefined : unambiguousName(data, place);
    if (city !== undefined) cityOf.set(place, city);
  }
  for (const { place, city } of towns) if (cityOf.size < limit) cityOf.set(place, city);
  const suggestions = [...cityOf].map(([place, city]) => ({ place, city }));
  const namesake = suggestions.findIndex(
    ({ place }) =>
      populationOf(data, place) >= TOWN_POPULATION && fold(displayName(data, place)) === fold(text),
  );
  const isLate = before.length > TOWNS_BEFORE_NAMESAKE && namesake > TOWNS_BEFORE_NAMESAKE;
  if (isLate) suggestions.splice(TOWNS_BEFORE_NAMESAKE, 0, ...suggestions.splice(namesake, 1));
  return suggestions;
}
