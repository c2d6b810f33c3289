import { cleanName } from '../place-names.js';
import type { CityText } from './city-text.js';
import { distancesFrom } from './distance.js';
import type { GazetteerData } from './gazetteer-file.js';
import { nameOf } from './name-of.js';
import type { FindCity } from './find-city.js';

/** By its name, a point is found again within so many km: it has the same weather there. */
const NEAR_KM = 30;

/**
 * Gives the name of the place that a point is named after, such that a lookup of it leads back near the place: Portland
 * in Maine is "Portland, Maine". Undefined where no name does: a larger place of the region has it, or it holds a digit.
 */
export type PointName = (place: number) => string | undefined;

export function createPointName(
  data: GazetteerData,
  findCity: FindCity,
  cityText: CityText,
): PointName {
  return (place) => {
    const name = nameOf(data, place);
    const country = data.countries[data.country[place] ?? -1]?.name ?? '';
    const found = findCity(name, country);
    const leadsBack = typeof found === 'number' && distance(place, found) <= NEAR_KM;
    return leadsBack && cleanName(name).ok ? name : cityText(place);
  };

  function distance(a: number, b: number): number {
    const [latitude, longitude] = pointOf(a);
    return distancesFrom({ latitude, longitude })(...pointOf(b));
  }

  function pointOf(place: number): [latitude: number, longitude: number] {
    return [(data.latitude[place] ?? 0) / 100_000, (data.longitude[place] ?? 0) / 100_000];
  }
}
