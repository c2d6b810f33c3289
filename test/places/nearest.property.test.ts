import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { distancesFrom } from '../../src/weather/distance.js';
import { countryOfPoint } from '../../src/places/near/country-of-point.js';
import { nearest } from '../../src/places/near/nearest.js';
import { loadPlaceData } from '../../src/places/place-data.js';
import type { Point } from '../../src/weather/types.js';
import { createRandom } from '../support/random.js';
import { builtGazetteer } from '../../tools/places/built-gazetteer.js';

const data = loadPlaceData(builtGazetteer());
const FAR_FROM_TOWNS = new Set(['AU', 'CA', 'DZ', 'GL', 'LY', 'MR', 'RU', 'SA']);
/** Random points per distance. The nightly run has more. */
const POINTS = process.env['PROPERTY_RUNS'] === undefined ? 60 : 200;
/** The places that can name a point, by the index of their country; all of them under -1. */
const placesOf = new Map<number, number[]>([[-1, Array.from(data.spatialPlaces)]]);
for (const place of data.spatialPlaces) {
  const home = data.country[place]!;
  placesOf.set(home, placesOf.get(home) ?? []);
  placesOf.get(home)?.push(place);
}

/** Finds the place that names a point without an index, by comparing all places of the country. */
function byComparingAll(point: Point): number | undefined {
  const code = countryOfPoint(point);
  const home = data.countries.findIndex((country) => country.code === code);
  const limit = code === undefined ? 20 : FAR_FROM_TOWNS.has(code) ? 1000 : 300;
  const near = (placesOf.get(home) ?? [])
    .filter((place) => Math.abs(data.latitude[place]! / 100_000 - point.latitude) <= limit / 111)
    .map((place) => ({ place, distance: kilometers(point, place) }))
    .filter(({ distance }) => distance <= limit);
  const [center] = near.toSorted((a, b) => a.distance - b.distance || a.place - b.place);
  const edges = near.map(({ place, distance }) => {
    const reaches = data.division[place] === data.division[center!.place] || isDominant(place);
    return { place, edge: distance - (reaches ? Math.sqrt(data.population[place]!) / 194 : 0) };
  });
  return edges.toSorted((a, b) => a.edge - b.edge || a.place - b.place)[0]?.place;
}

function isDominant(place: number): boolean {
  const { first, end } = data.countries[data.country[place]!]!;
  if (place !== first) return false;
  const people = data.population.subarray(first, end).reduce((sum, some) => sum + some, 0);
  return data.population[first]! > people / 2;
}

function kilometers(point: Point, place: number): number {
  return distancesFrom(point)({
    latitude: data.latitude[place]! / 100_000,
    longitude: data.longitude[place]! / 100_000,
  });
}

describe('the place that names a point', () => {
  for (const [what, degrees] of [
    ['in towns', 0.1],
    ['around towns', 0.6],
    ['far from towns', 12],
  ] as const) {
    it(`is the place whose edge is nearest, ${what}`, () => {
      const random = createRandom(degrees * 1000);
      for (let n = 0; n < POINTS; n += 1) {
        const place = random.between(0, data.latitude.length - 1);
        const off = () => ((random.between(0, 20_000) - 10_000) / 20_000) * degrees;
        const point = {
          latitude: Math.max(-90, Math.min(90, data.latitude[place]! / 100_000 + off())),
          longitude: Math.max(-180, Math.min(180, data.longitude[place]! / 100_000 + off())),
        };
        assert.equal(nearest(data, point)?.place, byComparingAll(point), JSON.stringify(point));
      }
    });
  }
});
