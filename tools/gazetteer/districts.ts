import { bareRegion } from '../../src/places/names/region-names.js';
import { cleanName } from '../../src/text/place-names.js';
import { withAllNames } from './city-names.js';
import { addTo, groupBy } from './group-by.js';
import { loadDivisions } from './packages.js';
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
  const districts = loadDivisions('admin2').flatMap(({ code, name }) => {
    const town = towns.get(code);
    if (!town) return [];
    const short = town.country === WHOLE_ONLY ? name : bareRegion(name.replace(KIND, ''));
    return cleanName(short).ok && short.length >= MIN_LENGTH ? [{ town, short }] : [];
  });
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
    addTo(names, town, short.toLowerCase());
  }
  return withAllNames(sources, names);
}

/** Returns each district's largest place, if most people live near it, by the district's code. */
function mainTowns(sources: SourcePlace[]): Map<string, SourcePlace> {
  const members = groupBy(
    sources.filter(({ section, district }) => !section && district !== ''),
    ({ country, division, district }) => `${country}.${division}.${district}`,
  );
  const towns = new Map<string, SourcePlace>();
  for (const [code, places] of members) {
    const [town] = places.sort((a, b) => b.population - a.population);
    if (town && shareNear(places, town, NEAR_KM) >= SHARE) towns.set(code, town);
  }
  return towns;
}
