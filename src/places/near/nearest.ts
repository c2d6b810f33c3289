import { around } from 'geokdbush';
import type { Point } from '../../weather/types.js';
import { distancesFrom } from '../../weather/distance.js';
import {
  countryIndex,
  countryIndexOf,
  countryOf,
  elevationOf,
  pointOf,
  populationOf,
} from '../data/place-record.js';
import type { PlaceData } from '../place-data.js';
import { countryOfPoint } from './country-of-point.js';

/** Maximum distance of a point from a city of its country. Farther: the point has no name. */
const MAX_KM = 300;
/** The same limit in sparsely populated countries. */
const MAX_KM_SPARSE = 1000;
const SPARSE = new Set(['AU', 'CA', 'DZ', 'GL', 'LY', 'MR', 'RU', 'SA']);
/** The same limit for a point at sea: a place within sight. */
const MAX_KM_AT_SEA = 20;
const RADIUS_FACTOR = 1 / 194;
/**
 * Maximum distance of a point from the center of a place whose height it has. At 3 km, the heights
 * of 95 % of neighboring places differ by less than 180 m. Farther: a point on a mountain has the
 * height of the valley.
 */
const MAX_ELEVATION_KM = 3;
/** This near to a place's center, a point is in its country: the data of the borders is coarse. */
const AT_CENTER_KM = 0.1;

/**
 * Returns the place that best names a point: the place of the point's country whose edge is
 * nearest. With the nearest center, a point in a capital's middle would be named after a borough.
 *
 * @param leftOut places that are not searched
 * @returns the place, the distance of its center, and the height of the point in meters above the
 *   sea; undefined if no place is near. The height is that of the nearest center, and undefined
 *   far from it
 */
export function nearest(
  data: PlaceData,
  point: Point,
  leftOut?: ReadonlySet<number>,
): { place: number; km: number; elevation: number | undefined } | undefined {
  const { division, pointIndex, spatialPlaces } = data;
  const code = countryOfPoint(point);
  const home = countryIndex(data, code);
  // In a country without places, such as Antarctica, all places count, and none is within the limit.
  const limitOnLand = SPARSE.has(code ?? '') ? MAX_KM_SPARSE : MAX_KM;
  const limit = code === undefined ? MAX_KM_AT_SEA : limitOnLand;
  const distanceTo = distancesFrom(point);
  const kilometersTo = (place: number): number => distanceTo(pointOf(data, place));
  const isAtHome = (place: number): boolean =>
    home === -1 || countryIndexOf(data, place) === home || kilometersTo(place) <= AT_CENTER_KM;
  /** Returns the nearest places in ascending order of distance. */
  const search = (maxPlaces: number, maxKm: number): number[] => {
    const { latitude, longitude } = point;
    const placeOf = (item: number): number => spatialPlaces[item] ?? -1;
    const isAccepted = (item: number): boolean => {
      const place = placeOf(item);
      // The library ends the search at the first accepted place beyond `maxKm`, so any is accepted.
      return (isAtHome(place) && !leftOut?.has(place)) || kilometersTo(place) > maxKm;
    };
    return around(pointIndex, longitude, latitude, maxPlaces, maxKm, isAccepted).map(placeOf);
  };

  const [center] = search(1, limit);
  if (center === undefined) return undefined;
  const centerKm = kilometersTo(center);
  // A city ends at the border of its state: Jersey City is not New York. The exception is a city
  // that has most of the population of its country, such as Hong Kong.
  const canReach = (place: number): boolean => {
    const { first, dominated } = countryOf(data, place) ?? {};
    return division[place] === division[center] || (dominated === true && place === first);
  };
  const largest = data.countries[home]?.first;
  const reachKm = largest === undefined ? Infinity : reachOf(data, largest);
  let best = { place: center, edge: centerKm - reachOf(data, center) };
  for (const place of search(Infinity, Math.min(centerKm + reachKm, limit))) {
    const edge = canReach(place) ? kilometersTo(place) - reachOf(data, place) : Infinity;
    // If two are equal, the lower index wins, so the order of the search does not matter.
    if (edge < best.edge || (edge === best.edge && place < best.place)) best = { place, edge };
  }
  const elevation = centerKm <= MAX_ELEVATION_KM ? elevationOf(data, center) : undefined;
  return { place: best.place, km: kilometersTo(best.place), elevation };
}

/** Returns a city's radius in km: half that of a disc with 3,000 people per km²; London: 15 km. */
function reachOf(data: PlaceData, place: number): number {
  return Math.sqrt(populationOf(data, place)) * RADIUS_FACTOR;
}
