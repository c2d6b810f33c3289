import { distancesFrom } from '../../src/weather/distance.js';
import { itemsNear } from './items-near.js';
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

/**
 * Creates the function that finds the main town of a small country, a small region, or an island
 * (Malta, Bali, the Isle of Wight): its capital, or its largest place; undefined for a large area.
 *
 * @returns a function of the places of the area, sorted by population in descending order, and of
 *   whether the area is a group of regions, which is no island: Java is not Jakarta
 */
export function createMainTowns(places: SourcePlace[]) {
  const near = itemsNear(places);
  /** Returns whether another place is within `STRAIT_KM` of one of the places of an area. */
  const hasNeighbor = (area: SourcePlace[]): boolean => {
    const own = new Set(area);
    const isNeighbor = (place: SourcePlace): boolean => !place.section && !own.has(place);
    return area.some((each) => {
      const distanceTo = distancesFrom(each);
      return near(each, STRAIT_KM).some((place) => {
        return isNeighbor(place) && distanceTo(place) <= STRAIT_KM;
      });
    });
  };
  return (members: number[], isGroup: boolean): number | undefined => {
    const seat = members.find((i) => places[i]?.capital) ?? members[0] ?? -1;
    const town = places[seat];
    if (!town) return undefined;
    const inArea = members.flatMap((i) => places[i] ?? []);
    const share = shareNear(inArea, town, SMALL_KM);
    if (share >= SHARE) return seat;
    const isIsland = !isGroup && share >= SHARE_OF_ISLAND && !hasNeighbor(inArea);
    return isIsland ? seat : undefined;
  };
}
