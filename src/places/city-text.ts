import { fold } from './fold.js';
import { cleanName } from '../place-names.js';
import type { Countries } from './countries.js';
import type { GazetteerData } from './gazetteer-file.js';
import { cityKey } from './key-hash.js';
import type { KeyTable } from './key-table.js';
import { nameOf } from './name-of.js';
import type { PlaceInArea } from './find-city.js';

/**
 * Gives a city's name such that a lookup of it, in the country by its shown name, finds this very place.
 * Undefined where no name does: a larger place of the same region has the name, or it holds a digit.
 */
export type CityText = (place: number) => string | undefined;

/** A name alone is ambiguous beside a namesake of at least this part of the population. */
const RIVAL_SHARE = 1 / 10;

export function createCityText(
  data: GazetteerData,
  countries: Countries,
  table: KeyTable,
  placeInArea: PlaceInArea,
): CityText {
  return (place) => {
    const { code = '', name: country = '' } = data.countries[data.country[place] ?? -1] ?? {};
    const area = countries.resolve(country);
    if (!area) return undefined;
    const name = nameOf(data, place);
    const within = [data.division[place] ?? 0, data.district[place] ?? 0]
      .map((region) => data.regions[region - 1] ?? '')
      .filter((region) => region !== '')
      .map((region) => `${name}, ${region}`);
    const texts = hasRival(place, code) ? [...within, name] : [name, ...within];
    return texts.find((text) => {
      const cleaned = cleanName(text);
      return cleaned.ok && cleaned.name === text && placeInArea(text, area) === place;
    });
  };

  function hasRival(place: number, country: string): boolean {
    const name = fold(nameOf(data, place));
    const least = RIVAL_SHARE * (data.population[place] ?? 0);
    return table
      .values(cityKey(country, name))
      .some(
        (other) =>
          other !== place &&
          (data.population[other] ?? 0) >= least &&
          fold(nameOf(data, other)) === name,
      );
  }
}
