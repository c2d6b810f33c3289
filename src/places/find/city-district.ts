import type { AreaRecord, GazetteerData } from '../data/gazetteer-file.js';
import { countryOf, displayName, kilometersBetween, populationOf } from '../data/place-record.js';
import type { PlaceByName } from './exact-match.js';

/** Countries in which people write a district of a city with the city. */
const COUNTRIES = new Set(['JP', 'KR', 'TW', 'CN']);
/** Least population of a city that has districts. The data has too low ones of some. */
const CITY_POPULATION = 10_000;
/** Its districts are up to 250 km from the city. */
const TOO_LARGE = 'Chongqing';
/** Maximum distance of a district from its city. */
const DISTRICT_KM = 50;
/** The word for a district at the end of its name: 中央区, 강남구, Chuo-ku, Chuo Ward. */
const DISTRICT = /(?:[区區구]|-[kg]u| ward| district)$/iu;
/** A city and its district without a comma: 大阪市中央区, 서울특별시 강남구. */
const CITY_FIRST = /^(.+市|東京都|.+(?= )) ?(.+[区區구])$/u;

/**
 * Finds the place of a district that is written with its city. A district that the data does not have is its city: the
 * city is near enough for the weather.
 *
 * @param find finds the city, which can have a region
 * @param named finds the district
 */
export type CityDistrict = (
  text: string,
  area: AreaRecord,
  find: PlaceByName,
  named: PlaceByName,
) => number | undefined;

export function createCityDistrict(data: GazetteerData): CityDistrict {
  return (text, area, find, named) => {
    const split = splitDistrict(text);
    if (!split) return undefined;
    const city = find(split.city, area);
    if (city === undefined || populationOf(data, city) < CITY_POPULATION) return undefined;
    if (!COUNTRIES.has(countryOf(data, city)?.code ?? '')) return undefined;
    const isInCity = (place: number): boolean =>
      data.division[place] === data.division[city] &&
      kilometersBetween(data, city, place) <= DISTRICT_KM;
    const district = named(split.district, area, isInCity);
    return district ?? (displayName(data, city) === TOO_LARGE ? undefined : city);
  };
}

function splitDistrict(text: string): { city: string; district: string } | undefined {
  const parts = text.split(',').map((part) => part.trim());
  if (parts.length > 1) {
    const district = parts.find((part) => DISTRICT.test(part));
    if (district === undefined) return undefined;
    return { city: parts.filter((part) => part !== district).join(', '), district };
  }
  const [, city, district] = CITY_FIRST.exec(text) ?? [];
  return city === undefined || district === undefined ? undefined : { city, district };
}
