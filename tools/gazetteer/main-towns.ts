import KDBush from 'kdbush';
import { distancesFrom } from '../../src/weather/distance.js';
import { shareNear } from './share-near.js';
import type { SourcePlace } from './source-places.js';

/** A country or region is small if at least this share lives near its main town: Jamaica, Crete. */
const SHARE = 0.9;
/** The maximum distance that counts as near. */
const SMALL_KM = 200;
/** The share that is sufficient for an island: Iceland, Hokkaido, the Bahamas. */
const SHARE_OF_ISLAND = 1 / 2;
/** An area is an island if no place outside of it is within this distance of one of its places. */
const STRAIT_KM = 15;
const KM_PER_DEGREE = 111.2;

/**
 * Creates the function that finds the main town of a small country, a small region, or an island
 * (Malta, Bali, the Isle of Wight): its capital, or its largest place; undefined for a large area.
 *
 * @returns a function of the places of the area, sorted by population in descending order, and of
 *   whether the area is a group of regions, which is no island: Java is not Jakarta
 */
export function createMainTowns(places: SourcePlace[]) {
  const hasNeighbor = neighbors(places);
  return (members: number[], isGroup: boolean): number | undefined => {
    const seat = members.find((i) => places[i]?.capital) ?? members[0] ?? -1;
    const town = places[seat];
    if (!town) return undefined;
    const inArea = members.flatMap((i) => places[i] ?? []);
    const share = shareNear(inArea, town, SMALL_KM);
    if (share >= SHARE) return seat;
    const isIsland = !isGroup && share >= SHARE_OF_ISLAND && !hasNeighbor(members);
    return isIsland ? seat : undefined;
  };
}

/** Creates the check whether another place is within `STRAIT_KM` of one of some places. */
function neighbors(places: SourcePlace[]): (members: number[]) => boolean {
  const index = new KDBush(places.length);
  for (const { longitude, latitude } of places) index.add(longitude, latitude);
  index.finish();
  const high = STRAIT_KM / KM_PER_DEGREE;
  return (members) => {
    const own = new Set(members);
    return members.some((i) => {
      const { latitude = 0, longitude = 0 } = places[i] ?? {};
      const distanceTo = distancesFrom({ latitude, longitude });
      const wide = high / Math.max(Math.cos((latitude * Math.PI) / 180), 0.1);
      return index
        .range(longitude - wide, latitude - high, longitude + wide, latitude + high)
        .some((other) => {
          const place = places[other];
          if (!place || place.section || own.has(other)) return false;
          return distanceTo(place) <= STRAIT_KM;
        });
    });
  };
}
