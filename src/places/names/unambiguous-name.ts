import { cleanName } from '../../text/place-names.js';
import { KEYS, valuesOf } from '../data/key-hash.js';
import {
  countryOf,
  displayName,
  kilometersBetween,
  populationOf,
  regionNamesOf,
} from '../data/place-record.js';
import { findPlaces } from '../find/find-place.js';
import type { PlaceData } from '../place-data.js';
import { areasNamed } from './countries.js';
import { fold } from './fold.js';

/** A display name is ambiguous if another place has it, and at least this share of the people. */
const RIVAL_SHARE = 1 / 10;
/** A name leads back if it finds a place within this distance, where the weather is the same. */
const NEAR_KM = 30;

/**
 * Returns a name by which a lookup in the place's country finds exactly this place: its display
 * name, with its region if that is ambiguous; undefined if a larger place of the same region has
 * the name, or the name has a digit.
 */
export function unambiguousName(data: PlaceData, place: number): string | undefined {
  const name = displayName(data, place);
  const within = regionNamesOf(data, place)
    .filter((region) => region !== undefined)
    .map((region) => `${name}, ${region}`);
  const texts = hasRival(data, place) ? [...within, name] : [name, ...within];
  return texts.find((text) => isAccepted(text) && findInCountryOf(data, text, place) === place);
}

/** Returns a name by which lookups find a place near it ("Portland, Maine"); undefined if none. */
export function nameNear(data: PlaceData, place: number): string | undefined {
  const name = displayName(data, place);
  const other = isAccepted(name) ? findInCountryOf(data, name, place) : undefined;
  const leadsBack = other !== undefined && kilometersBetween(data, place, other) <= NEAR_KM;
  return leadsBack ? name : unambiguousName(data, place);
}

/** Returns whether lookups accept a name unchanged. */
function isAccepted(text: string): boolean {
  const cleaned = cleanName(text);
  return cleaned.ok && cleaned.name.shown === text;
}

/** Returns the place that a lookup finds in a place's country; undefined if users must choose. */
function findInCountryOf(data: PlaceData, name: string, place: number): number | undefined {
  const found = findPlaces(data, name, areasNamed(data, countryOf(data, place)?.name ?? ''));
  return found.length === 1 ? found[0] : undefined;
}

function hasRival(data: PlaceData, place: number): boolean {
  const name = fold(displayName(data, place));
  const minPopulation = RIVAL_SHARE * populationOf(data, place);
  return valuesOf(data, KEYS.city(countryOf(data, place)?.code ?? '', name)).some(
    (other) =>
      other !== place &&
      populationOf(data, other) >= minPopulation &&
      fold(displayName(data, other)) === name,
  );
}
