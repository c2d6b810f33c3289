import type { CityMatch } from '../weather/types.js';
import type { Countries } from './countries.js';
import { fold } from '../weather/fold.js';
import type { AreaRecord, GazetteerData } from './gazetteer-file.js';
import { cityKey, divisionKey } from './key-hash.js';
import type { KeyTable } from './key-table.js';
import type { NearNames } from './near-names.js';

/**
 * A city of the country itself comes before a namesake in one of its territories, unless the
 * namesake has this many times its population: Saint-Denis, France is near Paris; San Juan, USA is
 * in Puerto Rico.
 */
export const TERRITORY_FACTOR = 5;

/** English, Japanese, Korean and Chinese words for "city" and "district" at the end of a name. */
const KIND_OF_PLACE =
  /(?<=\p{L}) city$|(?<=\p{L})-(?:shi|si|ku|gu)$|(?<=\p{L}{2}) ?[市区區시구]$/iu;

/** Gives the index of the place that a name means in a country, or the reason why there is none. */
export type FindCity = (
  city: string,
  country: string,
) => number | Exclude<CityMatch, { kind: 'found' }>;

/** Gives the index of the place that a name means in an area, or undefined when there is none. */
export type PlaceInArea = (city: string, area: AreaRecord) => number | undefined;

/** Finds places by their exact folded name, and tells of similar ones where there is none. */
export function createFindCity(
  countries: Countries,
  placeInArea: PlaceInArea,
  nearNames: NearNames,
): FindCity {
  return (city, country) => {
    const area = countries.resolve(country);
    const [code] = area?.codes ?? [];
    if (!area || code === undefined) return { kind: 'unknown_country' };
    const place = placeInArea(city, area);
    if (place !== undefined) return place;
    const folded = fold(city);
    return {
      kind: 'unknown_city',
      countryCode: code,
      key: `${folded}:${code}`,
      suggestions: nearNames(folded, area),
    };
  };
}

/** Finds places by their exact folded name. An unknown name never becomes another place. */
export function createPlaceInArea(
  data: GazetteerData,
  countries: Countries,
  table: KeyTable,
): PlaceInArea {
  return (city, area) =>
    inArea(fold(city), area) ?? beforeComma(city, area) ?? withoutSuffix(city, area);

  /** The best place of that name in the area. A `division` narrows the area's first country. */
  function inArea(folded: string, area: AreaRecord): number | undefined {
    if (folded === '') return undefined;
    const [home = '', ...territories] = area.codes;
    const places = table.values(cityKey(home, folded));
    const best =
      area.division === undefined
        ? places[0]
        : places.find((place) => data.division[place] === area.division);
    return territories.reduce<number | undefined>((winner, code) => {
      const [rival] = table.values(cityKey(code, folded));
      return rival !== undefined && outranks(rival, winner, best) ? rival : winner;
    }, best);
  }

  function outranks(rival: number, winner: number | undefined, homeBest: number | undefined) {
    if (winner === undefined) return true;
    const factor = winner === homeBest ? TERRITORY_FACTOR : 1;
    return (data.population[rival] ?? 0) > factor * (data.population[winner] ?? 0);
  }

  /** "Portland, Oregon": the place must lie in what follows the comma. */
  function beforeComma(city: string, area: AreaRecord): number | undefined {
    const [name = '', ...within] = city.split(',').map((part) => part.trim());
    if (within.length === 0) return undefined;
    let narrowed = area;
    for (const part of within) {
      const next = narrow(narrowed, part);
      if (!next) return undefined;
      narrowed = next;
    }
    return inArea(fold(name), narrowed);
  }

  /** "Luxembourg City", "Ōta-ku": the last word only tells the kind of place. */
  function withoutSuffix(city: string, area: AreaRecord): number | undefined {
    const name = city.replace(KIND_OF_PLACE, '');
    return name === city ? undefined : inArea(fold(name), area);
  }

  function narrow(area: AreaRecord, part: string): AreaRecord | undefined {
    const folded = fold(part);
    for (const code of area.codes) {
      const [division] = table.values(divisionKey(code, folded));
      if (division === undefined) continue;
      if (area.division !== undefined && area.division !== division) continue;
      return { codes: [code], division };
    }
    const named = countries.resolve(part);
    const codes = named?.codes.filter((code) => area.codes.includes(code)) ?? [];
    if (!named || codes.length === 0) return undefined;
    if (named.division !== undefined && area.division !== undefined) {
      if (named.division !== area.division) return undefined;
    }
    const division = named.division ?? area.division;
    return division === undefined ? { codes } : { codes, division };
  }
}
