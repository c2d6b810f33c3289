import type { GazetteerData } from '../../src/places/data/gazetteer-file.js';
import { AREA, KEYS, valuesOf, type KeyTable } from '../../src/places/data/key-hash.js';
import { TOWN_POPULATION } from '../../src/places/data/place-record.js';
import { fold } from '../../src/places/names/fold.js';
import { namesInMainLanguages } from './country-labels.js';
import type { CountryNames } from './country-names.js';
import { addTo, groupBy } from './group-by.js';
import { ISLANDS } from './islands.js';
import { createMainTowns } from './main-towns.js';
import type { Regions } from './regions.js';
import type { SourcePlace } from './source-places.js';

/** Minimum population of a place that its area's name means, as a share of the largest town's. */
const SHARE_INSIDE = 1 / 10;
/** Minimum popularity of a town outside, as a share of the largest town's: Washington, D.C. */
const KNOWN_SHARE = 1 / 2;
/** Minimum ratio to the largest town, if the region's name is short or former: Leningrad. */
const METROPOLIS_RATIO = 10;

/** A country, or one or several regions. */
interface Area {
  /** Folded: a region's English names, or a country's names in its own and in main languages. */
  names: string[];
  largest: number;
  /** The town that stands for a small area; undefined for a large one. */
  mainTown: number | undefined;
  isInside: (place: number) => boolean;
}

/** What a name means in a country in place of a city: `values` of `KEYS.areaTown`. */
type Meaning = [code: string, folded: string, values: number[]];

/** What the meanings follow from. */
interface Source {
  places: SourcePlace[];
  /** The display names of the places. */
  shown: string[];
  arrays: Pick<GazetteerData, 'population' | 'popularity' | 'country' | 'division' | 'district'>;
  countryNames: CountryNames;
  regions: Regions;
  regionKeys: [key: string, regions: number[]][];
  /** The keys of the names of places. */
  cities: KeyTable;
}

interface Areas {
  homes: Map<string, string[]>;
  areaOf: ReturnType<typeof createAreas>;
}

/**
 * Lists what the names of areas mean in place of a city, see `KEYS.areaTown`: islands first, then
 * countries, then regions. Leaves out a name that means the first place of this name anyway.
 */
export function areaTownKeys(source: Source): [key: string, values: number[]][] {
  const keys = new Map<string, number[]>();
  const areas = { homes: homesOf(source.countryNames), areaOf: createAreas(source) };
  const meanings = [
    ...islandTowns(source),
    ...countryTowns(source, areas),
    ...regionTowns(source, areas),
  ];
  for (const [code, folded, values] of meanings) {
    const key = KEYS.areaTown(code, folded);
    if (!keys.has(key)) keys.set(key, values);
  }
  return [...keys].filter(([key, [town, area]]) => {
    return area !== undefined || placesNamed(source, key.slice(0, 2), key.slice(3))[0] !== town;
  });
}

const placesNamed = ({ cities }: Source, code: string, folded: string): Uint32Array =>
  valuesOf(cities, KEYS.city(code, folded));

/** Yields the towns of the table of islands. */
function* islandTowns(source: Source): Generator<Meaning> {
  for (const { country, town, names, also } of ISLANDS) {
    const [place] = placesNamed(source, country, fold(town));
    if (place === undefined) throw new Error(`no place of the table of islands is called ${town}`);
    for (const name of names) yield [country, fold(name), [place]];
    for (const home of also) for (const name of [town, ...names]) yield [home, fold(name), [place]];
  }
}

/** Yields what country names mean in them, and in the countries to which people count them. */
function* countryTowns(source: Source, { homes, areaOf }: Areas): Generator<Meaning> {
  const { places, arrays, countryNames, regionKeys } = source;
  const countries = new Map<string, Area>();
  for (const [index, members] of grouped(places, arrays.country)) {
    const code = places[members[0] ?? -1]?.country ?? '';
    const names = namesInMainLanguages(code).map(fold);
    const area = areaOf(members, names, (place) => arrays.country[place] === index);
    if (area) countries.set(code, area);
  }
  for (const [code, { mainTown, largest }] of countries) {
    yield [code, '', [mainTown ?? AREA + largest]];
  }
  const regionNames = new Set(regionKeys.map(([key]) => key));
  for (const [folded, index] of countryNames.names()) {
    const { codes: [code = ''] = [], region } = countryNames.areas[index] ?? {};
    const area = region === undefined ? countries.get(code) : undefined;
    // México is the country, and not its state of this name.
    const isRegion = regionNames.has(KEYS.region(code, folded)) && !area?.names.includes(folded);
    if (!area || isRegion) continue;
    for (const home of [code, ...(homes.get(code) ?? [])]) {
      const isName = placesNamed(source, home, folded).length > 0;
      if (isName) yield [home, folded, meaningOf(source, home, folded, area, false)];
    }
  }
}

/** Yields what region names and codes mean, also in countries to which people count the regions. */
function* regionTowns(source: Source, { homes, areaOf }: Areas): Generator<Meaning> {
  const { places, arrays, regions, regionKeys } = source;
  const { division, district } = arrays;
  const [inDivision, inDistrict] = [grouped(places, division), grouped(places, district)];
  const nameOf = (region: number): string => fold(regions.names[region - 1] ?? '');

  function areaOfRegions(numbers: number[]): Area | undefined {
    const members = numbers.flatMap((each) => [
      ...(inDivision.get(each) ?? []),
      ...(inDistrict.get(each) ?? []),
    ]);
    const isInside = (place: number): boolean =>
      numbers.some((each) => division[place] === each || district[place] === each);
    return areaOf([...new Set(members)], numbers.map(nameOf), isInside, numbers.length > 1);
  }

  const known = new Map<string, Area | undefined>();
  for (const [key, numbers] of regionKeys) {
    const [code, kind, folded] = [key.slice(0, 2), key.slice(2, 3), key.slice(3)];
    if (kind !== '/' && kind !== '.') continue;
    const first = numbers.filter((number) => number <= regions.lastDivision);
    const named = first.filter((number) => nameOf(number) === folded);
    const meant = [named, first, numbers].find((list) => list.length > 0) ?? [];
    const id = meant.join();
    if (!known.has(id)) known.set(id, areaOfRegions(meant));
    const area = known.get(id);
    const isFirst = kind === '/' && (first.length > 0 || numbers.length > 1);
    // A place of the name comes before a code, and before a county: Kent.
    if (!area || (!isFirst && placesNamed(source, code, folded).length > 0)) continue;
    const also = isFirst ? homes.get(`${code}.${first[0]}`) : undefined;
    for (const home of [code, ...(also ?? [])]) {
      // Donetsk in Russia is also a town in the region of Rostov.
      if (home !== code && isTown(source, home, folded)) continue;
      yield [home, folded, meaningOf(source, home, folded, area, true)];
    }
  }
}

/** Returns whether the first place of a name in a country is a town with this main name. */
function isTown(source: Source, code: string, folded: string): boolean {
  const [place = -1] = placesNamed(source, code, folded);
  const people = source.arrays.population[place] ?? 0;
  return people >= TOWN_POPULATION && fold(source.shown[place] ?? '') === folded;
}

/** Returns the town that a name means, and the area itself if it is large. */
function meaningOf(
  source: Source,
  code: string,
  folded: string,
  { names, largest, mainTown, isInside }: Area,
  isRegion: boolean,
): number[] {
  const { population, popularity } = source.arrays;
  const peopleOf = (place: number): number => population[place] ?? 0;
  const isNamed = names.includes(folded);
  const isMeant = (place: number, i: number): boolean => {
    const own = fold(source.shown[place] ?? '');
    const isMain = own === folded || names.includes(own);
    const share = peopleOf(place) / Math.max(peopleOf(largest), 1);
    if (isInside(place)) {
      const isEnough = share >= SHARE_INSIDE && (isMain || i === 0);
      return isEnough || (isMain && (isRegion || !isNamed));
    }
    const isKnown = (popularity[place] ?? 0) >= KNOWN_SHARE * (popularity[largest] ?? 0);
    if (isMain && peopleOf(place) >= TOWN_POPULATION && (isKnown || !isNamed)) return true;
    return isRegion && !isNamed && i === 0 && share > METROPOLIS_RATIO;
  };
  const town = placesNamed(source, code, folded).find(isMeant) ?? mainTown;
  const isLarge = mainTown === undefined && (isRegion || town === undefined);
  return [...(town === undefined ? [] : [town]), ...(isLarge ? [AREA + largest] : [])];
}

function createAreas({ places, arrays: { population } }: Source) {
  const mainTownOf = createMainTowns(places);
  /** Creates an area; undefined without places. @param isGroup whether it is a group of regions */
  return (
    members: number[],
    names: string[],
    isInside: Area['isInside'],
    isGroup = false,
  ): Area | undefined => {
    const byPeople = members.sort((a, b) => (population[b] ?? 0) - (population[a] ?? 0));
    const [largest] = byPeople;
    if (largest === undefined) return undefined;
    return { names, largest, mainTown: mainTownOf(byPeople, isGroup), isInside };
  };
}

/** Groups the places that are no sections of cities by a number. */
const grouped = (places: SourcePlace[], of: ArrayLike<number>): Map<number, number[]> =>
  groupBy(
    [...places.keys()].filter((place) => !places[place]?.section),
    (place) => of[place] ?? -1,
  );

/** Countries to which people count a territory or region: by code, or country code and number. */
function homesOf({ areas }: CountryNames): Map<string, string[]> {
  const homes = new Map<string, string[]>();
  for (const { codes, region, also = [] } of areas) {
    const [home = '', ...territories] = codes;
    if (region !== undefined) continue;
    const others = also.map((area) => [area.codes[0], area.region].filter(Boolean).join('.'));
    for (const each of [...territories, ...others]) addTo(homes, each, home);
  }
  return homes;
}
