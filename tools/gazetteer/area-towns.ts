import type { GazetteerData } from '../../src/places/data/gazetteer-file.js';
import { AREA, KEYS, valuesOf, type KeyTable } from '../../src/places/data/key-hash.js';
import { TOWN_POPULATION } from '../../src/places/data/place-record.js';
import { fold } from '../../src/places/names/fold.js';
import { namesInMainLanguages } from './country-labels.js';
import type { CountryNames } from './country-names.js';
import { groupBy } from './group-by.js';
import { createMainTowns } from './main-towns.js';
import type { Regions } from './regions.js';
import type { SourcePlace } from './source-places.js';
import table from './tables/islands.json' with { type: 'json' };

/** A place in an area that has its name is meant if it has at least this share of the people of the largest town. */
const SHARE_INSIDE = 1 / 10;
/** A town outside of a region is meant if it is at least so well known as the largest town: Washington, D.C. */
const KNOWN_SHARE = 1 / 2;
/** A short or former name of a region means a metropolis that is so many times as large as its largest town: Leningrad. */
const METROPOLIS_RATIO = 10;

/** A country, or one or several regions. */
interface Area {
  /** Its folded names: the English names of regions, or the names of a country in its own and in main languages. */
  names: string[];
  largest: number;
  /** The town that stands for a small area; undefined for a large one. */
  mainTown: number | undefined;
  isInside: (place: number) => boolean;
}

type Arrays = Pick<
  GazetteerData,
  'population' | 'popularity' | 'country' | 'division' | 'district'
>;

/**
 * Lists what the names of areas mean in place of a city, see `KEYS.areaTown`. A name that means the first place of this
 * name anyway is left out.
 *
 * @param shown the display names of the places
 * @param cities the keys of the names of places
 */
export function areaTownKeys(
  places: SourcePlace[],
  shown: string[],
  { population, popularity, country, division, district }: Arrays,
  countryNames: CountryNames,
  regions: Regions,
  regionKeys: [key: string, regions: number[]][],
  cities: KeyTable,
): [key: string, values: number[]][] {
  const keys = new Map<string, number[]>();
  const mainTownOf = createMainTowns(places);
  const homes = homesOf(countryNames);
  const peopleOf = (place: number): number => population[place] ?? 0;
  const placesNamed = (code: string, folded: string) => valuesOf(cities, KEYS.city(code, folded));

  function add(code: string, folded: string, area: Area, isRegion: boolean): void {
    const { names, largest, mainTown, isInside } = area;
    const isNamed = names.includes(folded);
    const isMeant = (place: number, i: number): boolean => {
      const own = fold(shown[place] ?? '');
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
    const town = placesNamed(code, folded).find(isMeant) ?? mainTown;
    const isLarge = mainTown === undefined && (isRegion || town === undefined);
    addTowns(code, folded, [
      ...(town === undefined ? [] : [town]),
      ...(isLarge ? [AREA + largest] : []),
    ]);
  }

  function addTowns(code: string, folded: string, towns: number[]): void {
    const key = KEYS.areaTown(code, folded);
    if (!keys.has(key)) keys.set(key, towns);
  }

  for (const [code, town, names] of table.islands as [string, string, string[]][]) {
    const [place] = placesNamed(code, fold(town));
    if (place === undefined) throw new Error(`no place of the table of islands is called ${town}`);
    for (const name of names) addTowns(code, fold(name), [place]);
  }

  /** Groups the places that are no sections of cities by a number. */
  const grouped = (of: ArrayLike<number>): Map<number, number[]> =>
    groupBy(
      [...places.keys()].filter((place) => !places[place]?.section),
      (place) => of[place] ?? -1,
    );
  const areaOf = (
    members: number[],
    names: string[],
    isInside: Area['isInside'],
    isGroup = false,
  ): Area[] => {
    const byPeople = members.sort((a, b) => peopleOf(b) - peopleOf(a));
    const [largest] = byPeople;
    if (largest === undefined) return [];
    return [{ names, largest, mainTown: mainTownOf(byPeople, isGroup), isInside }];
  };

  const countries = new Map(
    [...grouped(country)].flatMap(([index, members]) => {
      const code = places[members[0] ?? -1]?.country ?? '';
      const names = namesInMainLanguages(code).map(fold);
      return areaOf(members, names, (place) => country[place] === index).map(
        (area) => [code, area] as const,
      );
    }),
  );
  for (const [code, area] of countries) addTowns(code, '', [area.mainTown ?? AREA + area.largest]);
  const regionNames = new Set(regionKeys.map(([key]) => key));
  for (const [folded, index] of countryNames.names()) {
    const { codes: [code = ''] = [], region } = countryNames.areas[index] ?? {};
    const area = region === undefined ? countries.get(code) : undefined;
    // México is the country, and not its state of this name.
    const isRegion = regionNames.has(KEYS.region(code, folded)) && !area?.names.includes(folded);
    if (!area || isRegion) continue;
    for (const home of [code, ...(homes.get(code) ?? [])]) {
      if (placesNamed(home, folded).length > 0) add(home, folded, area, false);
    }
  }

  const [inDivision, inDistrict] = [grouped(division), grouped(district)];
  const known = new Map<string, Area[]>();
  for (const [key, numbers] of regionKeys) {
    const [code, kind, folded] = [key.slice(0, 2), key.slice(2, 3), key.slice(3)];
    if (kind !== '/' && kind !== '.') continue;
    const first = numbers.filter((number) => number <= regions.lastDivision);
    const named = first.filter((number) => fold(regions.names[number - 1] ?? '') === folded);
    const regionsOfKey = [named, first, numbers].find((list) => list.length > 0) ?? [];
    const id = regionsOfKey.join();
    const [area] =
      known.get(id) ??
      areaOf(
        [
          ...new Set(
            regionsOfKey.flatMap((each) => [
              ...(inDivision.get(each) ?? []),
              ...(inDistrict.get(each) ?? []),
            ]),
          ),
        ],
        regionsOfKey.map((number) => fold(regions.names[number - 1] ?? '')),
        (place) =>
          regionsOfKey.some((each) => division[place] === each || district[place] === each),
        regionsOfKey.length > 1,
      );
    known.set(id, area ? [area] : []);
    const isFirst = kind === '/' && (first.length > 0 || numbers.length > 1);
    // A place of the name comes before a code, and before a county: Kent.
    if (!area || (!isFirst && placesNamed(code, folded).length > 0)) continue;
    const also = isFirst ? homes.get(`${code}.${first[0]}`) : undefined;
    for (const home of [code, ...(also ?? [])]) add(home, folded, area, true);
  }
  return [...keys].filter(([key, [town, area]]) => {
    return area !== undefined || placesNamed(key.slice(0, 2), key.slice(3))[0] !== town;
  });
}

/** Returns the countries to which people count a territory or region, by its code, or its country's code and its number. */
function homesOf({ areas }: CountryNames): Map<string, string[]> {
  const homes = new Map<string, string[]>();
  for (const { codes, region, also = [] } of areas) {
    const [home = '', ...territories] = codes;
    if (region !== undefined) continue;
    const others = also.map((area) => [area.codes[0], area.region].filter(Boolean).join('.'));
    for (const each of [...territories, ...others]) {
      homes.set(each, [...(homes.get(each) ?? []), home]);
    }
  }
  return homes;
}
