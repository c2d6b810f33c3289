import type { CityMatch } from '../weather/types.js';
import type { Countries } from './countries.js';
import { fold } from './fold.js';
import { cityForms } from './city-forms.js';
import type { AreaRecord } from './gazetteer-file.js';
import type { InArea, Within } from './in-area.js';
import type { IsCode, IsMisspelt } from './misspelt.js';
import type { NearNames } from './near-names.js';
import type { PartOf } from './part-of.js';
import type { SmallArea } from './small-area.js';
import type { WithoutComma } from './without-comma.js';

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
    const areas = countries.areas(country);
    const [area] = areas;
    const [code] = area?.codes ?? [];
    if (!area || code === undefined) return { kind: 'unknown_country' };
    for (const each of areas) {
      const place = placeInArea(city, each);
      if (place !== undefined) return place;
    }
    const folded = fold(city);
    return {
      kind: 'unknown_city',
      countryCode: code,
      key: `${folded}:${code}`,
      // What follows a comma is the region: the name stands before it.
      suggestions: nearNames(city.split(',', 1)[0] ?? '', area),
    };
  };
}

/** Finds places by their exact folded name. An unknown name never becomes another place. */
export function createPlaceInArea(
  inArea: InArea,
  partOf: PartOf,
  withoutComma: WithoutComma,
  smallArea: SmallArea,
  isMisspelt: IsMisspelt,
  isCode: IsCode,
): PlaceInArea {
  return (city, area) => {
    // What follows a comma is the region, though an old name of another place may read the same.
    const parts = city.split(',').map((part) => part.trim());
    const place = (parts.length > 1 ? inParts(parts, area) : undefined) ?? named(city, area);
    if (place !== undefined || parts.length > 1) return place;
    const region = smallArea(city, area, 'name');
    const other = withoutComma(city, area, named) ?? region ?? smallArea(city, area, 'code');
    if (other === undefined || other === region) return other;
    return isMisspelt(city, other, area) ? undefined : other;
  };

  /** "Portland, Oregon", "Московская область, Химки": the place must lie in what else is named. */
  function inParts(parts: string[], area: AreaRecord): number | undefined {
    const [first = '', ...after] = parts;
    const last = parts.at(-1) ?? '';
    return inAll(first, after, area) ?? inAll(last, parts.slice(0, -1), area);
  }

  function inAll(name: string, others: string[], area: AreaRecord): number | undefined {
    const conditions = conditionsOf(others, area) ?? conditionsOf([inverted(others)], area);
    if (!conditions) return undefined;
    return named(name, area, (place) => conditions.every((holds) => holds(place)));
  }

  function conditionsOf(others: string[], area: AreaRecord): Within[] | undefined {
    const conditions: Within[] = [];
    for (const other of others) {
      const condition = partOf(other, area);
      if (!condition) return undefined;
      conditions.push(condition);
    }
    return conditions;
  }

  function named(name: string, area: AreaRecord, within?: Within): number | undefined {
    const place = inArea(fold(name), area, within);
    if (place !== undefined) return place;
    for (const form of cityForms(name, area.codes)) {
      const folded = fold(form);
      const other = inArea(folded, area, within);
      // "Day City" is not Dayton, whose airport is DAY.
      if (other === undefined || isCode(folded, other)) continue;
      return isMisspelt(name, other, area) ? undefined : other;
    }
    return undefined;
  }
}

/** "London, City of" is the City of London: lists write long names of regions so. */
function inverted(parts: string[]): string {
  return [...parts].reverse().join(' ');
}
