import type { GazetteerSections } from '../../src/places/gazetteer-file.js';
import { distancesFrom } from '../../src/places/distance.js';
import type { SourcePlace } from './source-places.js';

/** A country or region is small if so much of its people … */
const SHARE = 0.9;
/** … lives at most so far from its main town, by whose weather it is told. Jamaica, Crete. */
const SMALL_KM = 200;

/**
 * The main town of each country and region that is small enough to have its weather: Malta, Bali, the Isle of Wight.
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
  const seatOf = (members: number[]): number => {
    const capital = members.find((i) => places[i]?.capital);
    const seat = capital ?? members[0];
    return seat !== undefined && isSmall(members, seat, places) ? seat + 1 : 0;
  };
  return {
    countrySeats: Uint32Array.from(inCountry, seatOf),
    regionSeats: Uint32Array.from(inRegion, seatOf),
  };
}

function isSmall(members: number[], seat: number, places: SourcePlace[]): boolean {
  const town = places[seat];
  if (!town) return false;
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
  return near >= SHARE * all;
}
