import { distancesFrom } from '../../src/weather/distance.js';
import { fold } from '../../src/places/names/fold.js';
import { cleanName } from '../../src/text/place-names.js';
import { Rank } from './city-names.js';
import { nearestPlace } from './nearest-place.js';
import { placesNamed } from './places-named.js';
import { sourcePlace, type SourcePlace } from './source-places.js';
import extract from './post-towns/post-towns.json' with { type: 'json' };

type Town = [name: string, state: string, latitude: number, longitude: number];

/** A place with the name of the town within this distance is the town itself. */
const SAME_TOWN_KM = 40;
const COUNTRY = 'US';

/**
 * Adds the towns of post offices that GeoNames' list does not have: villages of unknown population.
 * Any other place of the country comes before them by its name. With their state, they are found.
 */
export function addPostTowns(sources: SourcePlace[]): SourcePlace[] {
  const places = sources.filter(({ country }) => country === COUNTRY);
  const towns = (extract.towns as Town[]).filter(([name]) => cleanName(name).ok);
  const named = placesNamed(
    places,
    towns.map(([name]) => name),
  );
  const nearest = nearestPlace(places);
  // Names that read like a town with its state are left out: "Newtonia" is Newton, IA.
  const withState = new Set(
    places.map(({ name, division }) => fold(name) + division.toLowerCase()),
  );
  const added = towns.flatMap(([name, state, latitude, longitude]): SourcePlace[] => {
    if (withState.has(fold(name))) return [];
    const distanceTo = distancesFrom({ latitude, longitude });
    const isKnown = named(COUNTRY, name).some(
      ({ place, rank }) => rank <= Rank.alternate && distanceTo(place) <= SAME_TOWN_KM,
    );
    if (isKnown) return [];
    // If no place of its state is near, the coordinates are wrong.
    const next = nearest(
      { country: COUNTRY, latitude, longitude },
      ({ division }) => division === state,
    );
    if (!next) return [];
    const { division, district } = next.place;
    const place = { name, country: COUNTRY, latitude, longitude, division, district };
    return [sourcePlace({ ...place, section: true, obscure: true })];
  });
  return [...sources, ...added];
}
