import type { CityMatch } from '../../weather/types.js';
import type { Countries } from '../names/countries.js';
import { fold } from '../names/fold.js';
import { cityForms } from './city-forms.js';
import type { AreaRecord, GazetteerData } from '../data/gazetteer-file.js';
import { countryIndex } from '../data/place-record.js';
import type { PlaceByName, PlaceFilter } from './exact-match.js';
import { isCode, type IsMisspelled } from './misspelled.js';
import type { DidYouMean } from '../similar/did-you-mean.js';
import type { SimilarAreas } from '../similar/similar-areas.js';
import type { AreaFilter } from './area-filter.js';
import { findCityDistrict } from './city-district.js';
import type { NameList } from '../data/name-list.js';
import type { MainTown } from './main-town.js';
import { splitRemark } from '../names/remark.js';
import type { WithRemark } from './with-remark.js';
import type { WithoutComma } from './without-comma.js';

/** Returns the index of the place that a city's name means in a country, or why there is none. */
export type FindCity = (
  city: string,
  country: string,
) => number | Exclude<CityMatch, { kind: 'found' }>;

/** Creates the lookup of a city in a country. If no place has the name, the result lists similar names. */
export function createFindCity(
  data: GazetteerData,
  countries: Countries,
  findInArea: PlaceByName,
  didYouMean: DidYouMean,
  similarAreas: SimilarAreas,
): FindCity {
  return (city, country) => {
    const areas = countries.areas(country);
    const [area] = areas;
    const [code] = area?.codes ?? [];
    if (!area || code === undefined) {
      return { kind: 'unknown_country', suggestions: similarAreas.countries(country).slice(0, 3) };
    }
    for (const each of areas) {
      const place = findInArea(city, each);
      if (place !== undefined) return place;
    }
    const folded = fold(city);
    return {
      kind: 'unknown_city',
      country: data.countries[countryIndex(data, code)]?.name ?? '',
      countryCode: code,
      key: `${folded}:${code}`,
      // The text after a comma or in parentheses is a region.
      suggestions: didYouMean(city.split(/[,(]/, 1)[0] ?? '', area),
    };
  };
}

/** Creates the lookup of a city in an area. A misspelled name never matches another place. */
export function createFindInArea(
  data: GazetteerData,
  names: NameList,
  exactMatch: PlaceByName,
  areaFilter: AreaFilter,
  withoutComma: WithoutComma,
  withRemark: WithRemark,
  mainTown: MainTown,
  isMisspelled: IsMisspelled,
): PlaceByName {
  return findInArea;

  function findInArea(city: string, area: AreaRecord): number | undefined {
    return inRegionOrAlone(city, area) ?? findCityDistrict(data, city, area, findInArea, named);
  }

  function inRegionOrAlone(city: string, area: AreaRecord): number | undefined {
    // The region after a comma counts first, even if the whole text is a former name of another place.
    const parts = city.split(',').map((part) => part.trim());
    const place = (parts.length > 1 ? inParts(parts, area) : undefined) ?? named(city, area);
    if (place !== undefined || parts.length > 1) return place;
    const region = mainTown(city, area, 'name');
    const other = withoutComma(city, area, named) ?? region ?? mainTown(city, area, 'code');
    if (other === undefined || other === region) return other;
    return isMisspelled(city, other, area) ? undefined : other;
  }

  /** "Portland, Oregon", "Московская область, Химки": the place must lie in the regions that the other parts name. */
  function inParts(parts: string[], area: AreaRecord): number | undefined {
    const [first = '', ...after] = parts;
    const last = parts.at(-1) ?? '';
    return inAll(first, after, area) ?? inAll(last, parts.slice(0, -1), area);
  }

  function inAll(name: string, others: string[], area: AreaRecord): number | undefined {
    // Lists have the form "London, City of".
    const inverted = [...others].reverse().join(' ');
    const conditions = conditionsOf(others, area) ?? conditionsOf([inverted], area);
    if (!conditions) return undefined;
    return named(name, area, (place) => conditions.every((holds) => holds(place)));
  }

  function conditionsOf(others: string[], area: AreaRecord): PlaceFilter[] | undefined {
    const conditions: PlaceFilter[] = [];
    for (const other of others) {
      const condition = areaFilter(other, area);
      if (!condition) return undefined;
      conditions.push(condition);
    }
    return conditions;
  }

  function named(name: string, area: AreaRecord, within?: PlaceFilter): number | undefined {
    const place = exactMatch(fold(name), area, within);
    if (place !== undefined) return place;
    const remarked = splitRemark(name);
    if (remarked) return withRemark(remarked, area, within);
    for (const form of cityForms(name, area.codes)) {
      const folded = fold(form);
      const other = exactMatch(folded, area, within);
      // "Day City" is not Dayton, although its airport code is DAY.
      if (other === undefined || isCode(names, folded, other)) continue;
      return isMisspelled(name, other, area) ? undefined : other;
    }
    return undefined;
  }
}
