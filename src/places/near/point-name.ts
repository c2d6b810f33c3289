import { cleanName } from '../../text/place-names.js';
import type { UnambiguousName } from '../names/unambiguous-name.js';
import type { GazetteerData } from '../data/gazetteer-file.js';
import { displayName, countryOf, kilometersBetween } from '../data/place-record.js';
import type { FindCity } from '../find/find-city.js';

/** A name leads back to a place if a lookup of the name finds a place within this distance: the weather is the same. */
const NEAR_KM = 30;

/**
 * Creates a function that returns a name for a place such that a lookup of the name leads back near the place: the Portland
 * in Maine is "Portland, Maine". It returns undefined if there is none: a larger place of the region has the name, or it has
 * a digit.
 */
export function createPointName(
  data: GazetteerData,
  findCity: FindCity,
  unambiguousName: UnambiguousName,
) {
  return (place: number): string | undefined => {
    const name = displayName(data, place);
    const country = countryOf(data, place)?.name ?? '';
    const found = findCity(name, country);
    const leadsBack = typeof found === 'number' && kilometersBetween(data, place, found) <= NEAR_KM;
    return leadsBack && cleanName(name).ok ? name : unambiguousName(place);
  };
}
