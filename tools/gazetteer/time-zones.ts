import lookUp from '@photostructure/tz-lookup';
import { MAX_ZONE_KM } from '../../src/places/data/place-record.js';
import { nearestPlace } from './nearest-place.js';
import type { SourcePlace } from './source-places.js';
import table from './tables/time-zones.json' with { type: 'json' };

interface Correction {
  /** GeoNames' code of a first-level division, such as `CL.02`, or of a country. */
  division: string;
  from: string;
  to: string;
  /** GeoNames' names of places; absent: the division's places that have the zone in `from`. */
  places?: string[];
  source: string;
}
const CORRECTIONS: Correction[] = table.corrections;

/**
 * Returns the time zone of each place. A place without one in the source has that of the nearest
 * place of its country or, far from any, that of the zone map. Then the reviewed corrections apply.
 * @returns `timeZones`: IANA names; `timeZone`: for each place, an index into them
 * @throws Error if a correction changes no place, because the source is right now
 */
export function timeZonesOf(places: SourcePlace[]): { timeZones: string[]; timeZone: Uint16Array } {
  const nearest = nearestPlace(places);
  const isKnown = ({ timeZone }: SourcePlace): boolean => timeZone !== '';
  const used = new Set<Correction>();
  const names = places.map((place) => {
    const { name, country, division, latitude, longitude } = place;
    const near = isKnown(place) ? undefined : nearest(place, isKnown);
    const isNear = near !== undefined && near.km <= MAX_ZONE_KM;
    const known = isNear ? near.place.timeZone : place.timeZone || lookUp(latitude, longitude);
    const correction = CORRECTIONS.find(
      ({ division: at, from, places: only }) =>
        from === known &&
        (at === country || at === `${country}.${division}`) &&
        (!only || only.includes(name)),
    );
    if (correction) used.add(correction);
    return correction?.to ?? known;
  });
  const unused = CORRECTIONS.filter((correction) => !used.has(correction));
  if (unused.length > 0) throw new Error(`corrections without effect: ${JSON.stringify(unused)}`);
  const timeZones = [...new Set(names)].sort();
  const indexes = new Map(timeZones.map((name, index) => [name, index]));
  return { timeZones, timeZone: Uint16Array.from(names, (name) => indexes.get(name) ?? 0) };
}
