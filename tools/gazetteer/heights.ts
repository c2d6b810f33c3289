import { readHeights } from './geonames.js';
import { itemsNear } from './items-near.js';
import { planarDistance } from './planar-distance.js';
import { sourcePlace, type SourcePlace } from './source-places.js';

/** 90 % of neighbors at this distance differ by less than 100 m. */
const MAX_KM = 2;

/**
 * Gives each place the height of the nearest place in GeoNames' newer list: other sources have
 * positions without heights. A town whose center has moved, far from any other, keeps its height.
 */
export function addHeights(places: SourcePlace[]): SourcePlace[] {
  const near = itemsNear(readHeights());
  return places.map((place) => {
    let best = { km: MAX_KM, elevation: place.elevation };
    for (const { elevation, ...at } of near(place, MAX_KM)) {
      const km = planarDistance(place, at);
      if (km < best.km) best = { km, elevation };
    }
    return sourcePlace({ ...place, elevation: best.elevation });
  });
}
