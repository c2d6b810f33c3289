import KDBush from 'kdbush';
import type { Point } from '../weather/types.js';
import type { GazetteerData } from './gazetteer-file.js';
import type { RegionOf } from './regions.js';

/** A point farther than this from every city of its country gets no name. */
const MAX_KM = 300;
/** The same in the countries below, where inhabited land is farther from the next town. */
const MAX_KM_EMPTY = 1000;
const EMPTY = new Set(['AU', 'CA', 'DZ', 'GL', 'LY', 'MR', 'RU', 'SA']);
/** A point at sea is named after a place within sight. */
const MAX_KM_AT_SEA = 20;
/** The first search goes this far, which is enough almost everywhere that people live. */
const FIRST_KM = 40;
/**
 * The radius of a city in km is this factor times the square root of its population: half the
 * radius of a disc with 3,000 people per km². London has 15 km, a town of 10,000 half a kilometre.
 */
const REACH_KM = 1 / 194;
/** More than the radius of the largest city. */
const MAX_REACH_KM = 30;
/** A city with this share of its country's population names every point of the country near it. */
const DOMINANT_SHARE = 2 / 3;
const KM_PER_DEGREE = 111.195;
const UNITS = 100_000;
const WORLD = 180 * UNITS;

/**
 * Finds the place that best names a point. Among the places of the point's own country it is the one
 * with the nearest edge. By the nearest centre, the middle of a capital would be one of its boroughs.
 *
 * @returns a function that gives the index of the place, or undefined when none is near
 */
export function createNearest(
  data: GazetteerData,
  regionOf: RegionOf,
): (point: Point) => number | undefined {
  const { latitude, longitude, population, country, division, spatialPlaces } = data;
  const { buffer, byteOffset, byteLength } = data.spatial;
  const index = KDBush.from(buffer.slice(byteOffset, byteOffset + byteLength));
  const dominant = data.countries.map(({ first, end }) => {
    const total = population.subarray(first, end).reduce((sum, people) => sum + people, 0);
    return (population[first] ?? 0) > DOMINANT_SHARE * total ? first : undefined;
  });

  return (point) => {
    const code = regionOf(point);
    const home = data.countries.findIndex((record) => record.code === code);
    if (code !== undefined && home === -1) return undefined;
    const limit = code === undefined ? MAX_KM_AT_SEA : EMPTY.has(code) ? MAX_KM_EMPTY : MAX_KM;
    for (const radius of [FIRST_KM, MAX_KM, limit].map((km) => Math.min(km, limit))) {
      const best = bestWithin(point, radius, home);
      if (best && (best.edge + MAX_REACH_KM <= radius || radius === limit)) return best.place;
    }
    return undefined;
  };

  function bestWithin(point: Point, radius: number, home: number) {
    const found: { place: number; distance: number }[] = [];
    for (const item of boxesAround(point, radius).flatMap((box) => index.range(...box))) {
      const place = spatialPlaces[item] ?? 0;
      if (home !== -1 && country[place] !== home) continue;
      const distance = kilometres(
        point,
        (latitude[place] ?? 0) / UNITS,
        (longitude[place] ?? 0) / UNITS,
      );
      if (distance <= radius) found.push({ place, distance });
    }
    if (found.length === 0) return undefined;
    const nearest = found.reduce((a, b) => (closer(b, a) ? b : a));
    // A city ends at the border of its state: Jersey City is not New York. The exception is a city
    // that is most of its country, such as Hong Kong.
    const state = division[nearest.place];
    let best = { place: nearest.place, edge: Infinity };
    for (const { place, distance } of found) {
      const reaches = division[place] === state || place === dominant[country[place] ?? -1];
      const edge = distance - (reaches ? Math.sqrt(population[place] ?? 0) * REACH_KM : 0);
      if (edge < best.edge || (edge === best.edge && place < best.place)) best = { place, edge };
    }
    return best;
  }
}

/** The better rank decides between equal distances: the order of the index must not matter. */
function closer(
  a: { place: number; distance: number },
  b: { place: number; distance: number },
): boolean {
  return a.distance < b.distance || (a.distance === b.distance && a.place < b.place);
}

type Box = [minX: number, minY: number, maxX: number, maxY: number];

/** The boxes around a circle, in the index's units: one, or two when the circle crosses ±180°. */
function boxesAround({ latitude, longitude }: Point, radius: number): Box[] {
  const dy = radius / KM_PER_DEGREE;
  const minY = Math.floor((latitude - dy) * UNITS);
  const maxY = Math.ceil((latitude + dy) * UNITS);
  const poleward = Math.abs(latitude) + dy;
  // A circle around a pole crosses every meridian.
  if (poleward >= 90) return [[-WORLD, minY, WORLD, maxY]];
  // A degree of longitude is shortest at the poleward end of the circle: take its length there.
  const dx = dy / Math.cos((poleward * Math.PI) / 180);
  if (dx >= 180) return [[-WORLD, minY, WORLD, maxY]];
  const minX = Math.floor((longitude - dx) * UNITS);
  const maxX = Math.ceil((longitude + dx) * UNITS);
  const boxes: Box[] = [[minX, minY, maxX, maxY]];
  if (minX < -WORLD) boxes.push([minX + 2 * WORLD, minY, WORLD, maxY]);
  if (maxX > WORLD) boxes.push([-WORLD, minY, maxX - 2 * WORLD, maxY]);
  return boxes;
}

/** Great-circle distance in km, by the haversine formula. */
function kilometres(from: Point, latitude: number, longitude: number): number {
  const radians = Math.PI / 180;
  const sinLat = Math.sin(((latitude - from.latitude) * radians) / 2);
  const sinLon = Math.sin(((longitude - from.longitude) * radians) / 2);
  const a =
    sinLat * sinLat +
    Math.cos(from.latitude * radians) * Math.cos(latitude * radians) * sinLon * sinLon;
  return 2 * 6371.0088 * Math.asin(Math.min(1, Math.sqrt(a)));
}
