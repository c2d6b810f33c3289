import { fold } from './fold.js';
import type { Countries } from './countries.js';
import { distancesFrom } from './distance.js';
import type { AreaRecord, GazetteerData } from './gazetteer-file.js';
import { inRegion, type InArea, type Within } from './in-area.js';
import type { RegionNames } from './region-names.js';

/** "Shinjuku, Tokyo": a place beside a city may be told by the city. It is at most so many km away. */
const BESIDE_CITY_KM = 50;

/**
 * What a text names that a place of the area can lie in: a region, a country, or a city of at least so many people
 * that it is beside.
 */
export type PartOf = (text: string, area: AreaRecord, leastPeople?: number) => Within | undefined;

export function createPartOf(
  data: GazetteerData,
  countries: Countries,
  regionNames: RegionNames,
  inArea: InArea,
): PartOf {
  // A region before a country before a city: a town in Washington is not one beside the city.
  return (text, area, leastPeople = 0) => {
    const numbers = area.codes.flatMap((code) => [...regionNames.inCountry(code, text)]);
    if (numbers.length > 0) {
      return (place) => numbers.some((region) => inRegion(data, place, region));
    }
    const country = countries.country(text);
    const codes = country?.codes.filter((code) => area.codes.includes(code)) ?? [];
    if (codes.length > 0) return (place) => liesIn(place, codes, country?.region);
    const city = inArea(fold(text), area);
    if (city === undefined || (data.population[city] ?? 0) < leastPeople) return undefined;
    return besideCity(city);
  };

  function liesIn(place: number, codes: string[], region: number | undefined): boolean {
    const code = data.countries[data.country[place] ?? -1]?.code ?? '';
    return codes.includes(code) && (region === undefined || inRegion(data, place, region));
  }

  function besideCity(city: number): Within {
    const [latitude, longitude] = pointOf(city);
    const distanceTo = distancesFrom({ latitude, longitude });
    return (place) => distanceTo(...pointOf(place)) <= BESIDE_CITY_KM;
  }

  function pointOf(place: number): [latitude: number, longitude: number] {
    return [(data.latitude[place] ?? 0) / 100_000, (data.longitude[place] ?? 0) / 100_000];
  }
}
