import { cleanName } from '../place-names.js';
import type { UnambiguousName } from './unambiguous-name.js';
import { distancesFrom } from './distance.js';
import type { GazetteerData } from './gazetteer-file.js';
import { displayName } from './display-name.js';
import type { FindCity } from './find-city.js';

/** A name leads back to a place if a lookup of the name finds a place within this distance: the weather is the same. */
const NEAR_KM = 30;

/**
 * Returns a name for the place such that a lookup of the name leads back near the place: the Portland in Maine is
 * "Portland, Maine". Returns undefined if there is none: a larger place of the region has the name, or it has a digit.
 */
export type PointName = (place: number) => string | undefined;

export function createPointName(
  data: GazetteerData,
  findCity: FindCity,
  unambiguousName: UnambiguousName,
): PointName {
  return (place) => {
    const name = displayName(data, place);
    const country = data.countries[data.country[place] ?? -1]?.name ?? '';
    const found = findCity(name, country);
    const leadsBack = typeof found === 'number' && distance(place, found) <= NEAR_KM;
    return leadsBack && cleanName(name).ok ? name : unambiguousName(place);
  };

  function distance(a: number, b: number): number {
    const [latitude, longitude] = pointOf(a);
    return distancesFrom({ latitude, longitude })(...pointOf(b));
  }

  function pointOf(place: number): [latitude: number, longitude: number] {
    return [(data.latitude[place] ?? 0) / 100_000, (data.longitude[place] ?? 0) / 100_000];
  }
}
