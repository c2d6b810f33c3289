import KDBush from 'kdbush';
import type { GazetteerSections } from '../../src/places/data/gazetteer-file.js';
import { distancesFrom } from '../../src/weather/distance.js';
import { shareNear } from './share-near.js';
import type { SourcePlace } from './source-places.js';

/** A country or region is small if at least this share of its people lives near its main town: Jamaica, Crete. */
const SHARE = 0.9;
/** The maximum distance that counts as near. */
const SMALL_KM = 200;
/** The share that is sufficient for an island: Iceland, Hokkaido, the Bahamas. */
const SHARE_OF_ISLAND = 1 / 2;
/** An area is an island if no place outside of it is within this distance of one of its places. */
const STRAIT_KM = 15;
const KM_PER_DEGREE = 111.2;

/**
 * Finds the main town of each small country, small region, and island (Malta, Bali, the Isle of Wight): its capital, or
 * its largest place. The arrays have the index of the place plus one, or 0.
 *
 * @param places sorted by population in descending order within a country
 */
export function seats(
  places: SourcePlace[],
  of: Pick<GazetteerSections, 'country' | 'division' | 'district'>,
  countries: number,
  regions: number,
): Pick<GazetteerSections, 'countrySeats' | 'regionSeats'> {
  const inCountry: number[][] = Array.from({ length: countries }, () => []);
  const inRegion: number[][] = Array.from({ length: regions + 1 }, () => []);
  for (const [i, { section }] of places.entries()) {
    if (section) continue;
    inCountry[of.country[i] ?? -1]?.push(i);
    for (const region of [of.division[i] ?? 0, of.district[i] ?? 0]) {
      if (region !== 0) inRegion[region]?.push(i);
    }
  }
  const hasNeighbor = neighbors(places);
  const seatOf = (members: number[]): number => {
    const capital = members.find((i) => places[i]?.capital);
    const seat = capital ?? members[0];
    const town = seat === undefined ? undefined : places[seat];
    if (seat === undefined || !town) return 0;
    const inArea = members.flatMap((i) => places[i] ?? []);
    const share = shareNear(inArea, town, SMALL_KM);
    if (share >= SHARE) return seat + 1;
    return share >= SHARE_OF_ISLAND && !hasNeighbor(members) ? seat + 1 : 0;
  };
  return {
    countrySeats: Uint32Array.from(inCountry, seatOf),
    regionSeats: Uint32Array.from(inRegion, seatOf),
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
