import KDBush from 'kdbush';
import type { GazetteerSections } from '../../src/places/gazetteer-file.js';
import { distancesFrom } from '../../src/places/distance.js';
import type { SourcePlace } from './source-places.js';

/** A country or region is small if so much of its people … */
const SHARE = 0.9;
/** … lives at most so far from its main town, by whose weather it is told. Jamaica, Crete. */
const SMALL_KM = 200;
/** An island is told by its main town if this share does: Iceland, Hokkaido, the Bahamas. */
const SHARE_OF_ISLAND = 1 / 2;
/** No place outside of an island is so near to one of its own. */
const STRAIT_KM = 15;
const KM_PER_DEGREE = 111.2;

/**
 * The main town of each country and region that is small or an island: Malta, Bali, the Isle of Wight.
 * Each array has the place's index plus one, or 0. The first is the capital, or the largest place.
 *
 * @param places the most populous of a country first
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
  const hasNeighbour = neighbours(places);
  const seatOf = (members: number[]): number => {
    const capital = members.find((i) => places[i]?.capital);
    const seat = capital ?? members[0];
    if (seat === undefined) return 0;
    const share = shareNear(members, seat, places);
    if (share >= SHARE) return seat + 1;
    return share >= SHARE_OF_ISLAND && !hasNeighbour(members) ? seat + 1 : 0;
  };
  return {
    countrySeats: Uint32Array.from(inCountry, seatOf),
    regionSeats: Uint32Array.from(inRegion, seatOf),
  };
}

/** How much of the people lives near the main town. */
function shareNear(members: number[], seat: number, places: SourcePlace[]): number {
  const town = places[seat];
  if (!town) return 0;
  const distanceTo = distancesFrom(town);
  let [all, near] = [0, 0];
  for (const i of members) {
    const place = places[i];
    if (!place) continue;
    // Where nobody counted, each place counts a little.
    const people = Math.max(place.population, 1);
    all += people;
    if (distanceTo(place.latitude, place.longitude) <= SMALL_KM) near += people;
  }
  return near / all;
}

/** Tells whether another place lies just beside one of some places. */
function neighbours(places: SourcePlace[]): (members: number[]) => boolean {
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
          return distanceTo(place.latitude, place.longitude) <= STRAIT_KM;
        });
    });
  };
}
