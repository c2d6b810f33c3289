import KDBush from 'kdbush';
import type { Point } from '../../weather/types.js';
import { distancesFrom, KM_PER_DEGREE, RADIANS } from '../data/distance.js';
import type { GazetteerData } from '../data/gazetteer-file.js';
import type { CountryOfPoint } from './country-of-point.js';
import {
  countryIndex,
  countryIndexOf,
  countryOf,
  isPartOfCity,
  pointOf,
  populationOf,
  UNITS,
} from '../data/place-record.js';

/** Maximum distance of a point from a city of its country. A point that is farther from all of them has no name. */
const MAX_KM = 300;
/** The same limit in sparsely populated countries. */
const MAX_KM_EMPTY = 1000;
const EMPTY = new Set(['AU', 'CA', 'DZ', 'GL', 'LY', 'MR', 'RU', 'SA']);
/** The same limit for a point at sea: a place within sight. */
const MAX_KM_AT_SEA = 20;
/** The radius of the first search in km. It is sufficient for most inhabited points. */
const FIRST_KM = 12;
/** Each further search has a radius that is larger by this factor. */
const RADIUS_FACTOR = 5;
/**
 * The radius of a city in km is this factor times the square root of its population: half the
 * radius of a disc with 3,000 people per km². London has 15 km, a town of 10,000 people has 0.5 km.
 */
const REACH_KM = 1 / 194;
/**
 * Maximum radius of a small city. The few larger cities are searched in a larger circle.
 */
const SMALL_REACH_KM = 5;
/** Within this distance from the center of a place, a point is in its country: the data of the borders is coarse. */
const AT_CENTER_KM = 0.1;
/** Maximum distance of a point from the place whose time zone it has. */
export const MAX_ZONE_KM = 50;
const WORLD = 180 * UNITS;

/** The places near a point, by their indexes. */
export interface NearPlaces {
  /** The place that best names the point. */
  place: number;
  /** The place whose center is nearest to the point. */
  center: number;
  centerKm: number;
}

/**
 * Creates the search for the place that best names a point: the place of the point's country whose edge is nearest.
 * With the nearest center instead, a point in the middle of a capital would have the name of a borough.
 *
 * @returns a function that finds the place, except those in `leftOut`; undefined if none is near
 */
export function createNearest(
  data: GazetteerData,
  countryOfPoint: CountryOfPoint,
): (point: Point, leftOut?: ReadonlySet<number>) => NearPlaces | undefined {
  const { division, spatialPlaces } = data;
  const { buffer, byteOffset, byteLength } = data.spatial;
  const index = KDBush.from(buffer.slice(byteOffset, byteOffset + byteLength));

  const reachOf = (place: number) => Math.sqrt(populationOf(data, place)) * REACH_KM;
  // The places of a country are sorted by population, in descending order.
  const largeCities = data.countries.flatMap(({ first, end }) => {
    const large: number[] = [];
    for (let place = first; place < end && reachOf(place) > SMALL_REACH_KM; place += 1) {
      if (!isPartOfCity(data, place)) large.push(place);
    }
    return large;
  });
  const maxReachKm = Math.max(...largeCities.map(reachOf));

  return (point, leftOut) => {
    const code = countryOfPoint(point);
    const home = countryIndex(data, code);
    // No place is within the limit of a country without places, such as Antarctica.
    const limit = code === undefined ? MAX_KM_AT_SEA : EMPTY.has(code) ? MAX_KM_EMPTY : MAX_KM;
    for (let radius = FIRST_KM; radius < limit; radius *= RADIUS_FACTOR) {
      const best = bestWithin(point, radius, home, limit, leftOut);
      // If this is true, no place outside of the radius can have a nearer edge.
      const isCertain = best && best.edge + SMALL_REACH_KM <= radius && best.centerKm <= radius;
      if (isCertain) return best;
    }
    return bestWithin(point, limit, home, limit, leftOut);
  };

  /** Returns the best of all places within the radius, and of the large cities within the radius plus their own. */
  function bestWithin(
    point: Point,
    radius: number,
    home: number,
    limit: number,
    leftOut?: ReadonlySet<number>,
  ) {
    const found: { place: number; distance: number }[] = [];
    const distanceTo = distancesFrom(point);
    function collect(place: number, beyondKm: number, withinKm: number): void {
      if (leftOut?.has(place)) return;
      const { latitude, longitude } = pointOf(data, place);
      // Excludes most large cities cheaply.
      if (Math.abs(latitude - point.latitude) * KM_PER_DEGREE > withinKm) return;
      const distance = distanceTo(latitude, longitude);
      const isAtHome = home === -1 || countryIndexOf(data, place) === home;
      if (!isAtHome && distance > AT_CENTER_KM) return;
      if (distance > beyondKm && distance <= withinKm) found.push({ place, distance });
    }
    for (const box of boxesAround(point, radius)) {
      // `spatialPlaces` is ascending.
      for (const item of index.range(...box)) collect(spatialPlaces[item] ?? 0, -1, radius);
    }
    for (const city of largeCities) collect(city, radius, Math.min(radius + maxReachKm, limit));

    let nearest = { place: -1, distance: Infinity };
    for (const { place, distance } of found) {
      const isNearer = distance < nearest.distance;
      if (isNearer || (distance === nearest.distance && place < nearest.place)) {
        nearest = { place, distance };
      }
    }
    if (nearest.place === -1) return undefined;
    // A city ends at the border of its state: Jersey City is not New York. The exception is a city that has most of the
    // population of its country, such as Hong Kong.
    const state = division[nearest.place];
    let best = { place: nearest.place, edge: Infinity };
    for (const { place, distance } of found) {
      const { first, dominated } = countryOf(data, place) ?? {};
      const reaches = division[place] === state || (dominated && place === first);
      const edge = distance - (reaches ? reachOf(place) : 0);
      // If two are equal, the lower index wins, so that the result does not depend on the order of
      // the search.
      if (edge < best.edge || (edge === best.edge && place < best.place)) best = { place, edge };
    }
    return { ...best, center: nearest.place, centerKm: nearest.distance };
  }
}

type Box = [minX: number, minY: number, maxX: number, maxY: number];

/** The boxes around a circle, in the index's units: more than one if the circle crosses ±180°. */
function boxesAround({ latitude, longitude }: Point, radius: number): Box[] {
  const dy = radius / KM_PER_DEGREE;
  const minY = Math.floor((latitude - dy) * UNITS);
  const maxY = Math.ceil((latitude + dy) * UNITS);
  const poleward = Math.abs(latitude) + dy;
  // A circle around a pole crosses every meridian.
  if (poleward >= 90) return [[-WORLD, minY, WORLD, maxY]];
  // A degree of longitude is shortest at the poleward end of the circle: take its length there.
  const dx = dy / Math.cos(poleward * RADIANS);
  const minX = Math.floor((longitude - dx) * UNITS);
  const maxX = Math.ceil((longitude + dx) * UNITS);
  const boxes: Box[] = [[minX, minY, maxX, maxY]];
  if (minX < -WORLD) boxes.push([minX + 2 * WORLD, minY, WORLD, maxY]);
  if (maxX > WORLD) boxes.push([-WORLD, minY, maxX - 2 * WORLD, maxY]);
  return boxes;
}
