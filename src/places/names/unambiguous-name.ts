import { fold } from './fold.js';
import { cleanName } from '../../text/place-names.js';
import type { Countries } from './countries.js';
import type { GazetteerData } from '../data/gazetteer-file.js';
import { KEYS } from '../data/key-hash.js';
import type { KeyTable } from '../data/key-table.js';
import { displayName, countryOf, populationOf, regionNamesOf } from '../data/place-record.js';
import type { PlaceByName } from '../find/exact-match.js';

/**
 * Returns a name by which a lookup in the place's country finds exactly this place: its display name, with its region
 * if the display name is ambiguous. Returns undefined if there is none: a larger place of the same region has the
 * name, or the name has a digit.
 */
export type UnambiguousName = (place: number) => string | undefined;

/** A display name is ambiguous if another place of that name has at least this fraction of the place's population. */
const RIVAL_SHARE = 1 / 10;

export function createUnambiguousName(
  data: GazetteerData,
  countries: Countries,
  table: KeyTable,
  findInArea: PlaceByName,
): UnambiguousName {
  return (place) => {
    const { code = '', name: country = '' } = countryOf(data, place) ?? {};
    const area = countries.resolve(country);
    if (!area) return undefined;
    const name = displayName(data, place);
    const within = regionNamesOf(data, place)
      .filter((region) => region !== undefined)
      .map((region) => `${name}, ${region}`);
    const texts = hasRival(place, code) ? [...within, name] : [name, ...within];
    return texts.find((text) => {
      const cleaned = cleanName(text);
      return cleaned.ok && cleaned.name.shown === text && findInArea(text, area) === place;
    });
  };

  function hasRival(place: number, country: string): boolean {
    const name = fold(displayName(data, place));
    const least = RIVAL_SHARE * populationOf(data, place);
    return table
      .values(KEYS.city(country, name))
      .some(
        (other) =>
          other !== place &&
          populationOf(data, other) >= least &&
          fold(displayName(data, other)) === name,
      );
  }
}
