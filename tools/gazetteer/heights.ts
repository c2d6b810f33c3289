import KDBush from 'kdbush';
import { readHeights } from './geonames.js';
import { planarDistance } from './planar-distance.js';
import { sourcePlace, type SourcePlace } from './source-places.js';

/** 90 % of neighbors at this distance differ by less than 100 m. */
const MAX_KM = 2;
const KM_PER_DEGREE = 111.2;

/**
 * Gives each place the height of the nearest place in GeoNames' newer list: other sources have
 * positions without heights. A town whose center has moved, far from any other, keeps its height.
 */
export function addHeights(places: SourcePlace[]): SourcePlace[] {
  const known = readHeights();
  const index = new KDBush(known.length);
  for (const { longitude, latitude } of known) index.add(longitude, latitude);
  index.finish();
  return places.map((place) => {
    const { latitude, longitude } = place;
    const dy = MAX_KM / KM_PER_DEGREE;
    const dx = dy / Math.max(Math.cos((latitude * Math.PI) / 180), 0.05);
    const near = index
      .range(longitude - dx, latitude - dy, longitude + dx, latitude + dy)
      .flatMap((i) => known[i] ?? [])
      .map(({ elevation, ...at }) => ({ elevation, km: planarDistance(place, at) }));
    const own = { km: MAX_KM, elevation: place.elevation };
    const { elevation } = near.reduce<{ km: number; elevation: number | undefined }>(
      (a, b) => (b.km < a.km ? b : a),
      own,
    );
    return sourcePlace({ ...place, elevation });
  });
}
