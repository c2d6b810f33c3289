import { distancesFrom } from '../../src/weather/distance.js';
import type { Point } from '../../src/weather/types.js';
import { itemsNear } from './items-near.js';
import type { SourcePlace } from './source-places.js';

const MAX_KM = 55;

/** Creates the search for a country's nearest place within 55 km that `isWanted` accepts. */
export function nearestPlace(places: SourcePlace[]) {
  const near = itemsNear(places);
  return (
    point: Point & { country: string },
    isWanted: (place: SourcePlace) => boolean,
  ): { place: SourcePlace; km: number } | undefined => {
    const distanceTo = distancesFrom(point);
    let best: { place: SourcePlace; km: number } | undefined;
    for (const place of near(point, MAX_KM)) {
      if (place.country !== point.country || !isWanted(place)) continue;
      const km = distanceTo(place);
      if (km < (best?.km ?? MAX_KM)) best = { place, km };
    }
    return best;
  };
}
