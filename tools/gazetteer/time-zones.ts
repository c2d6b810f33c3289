import lookUp from '@photostructure/tz-lookup';
import { MAX_ZONE_KM } from '../../src/places/data/place-record.js';
import { nearestPlace } from './nearest-place.js';
import type { SourcePlace } from './source-places.js';

/**
 * Returns the time zone of each place. A place without one in the source has that of the nearest place of its country or,
 * far from any, that of the map of time zones.
 * @returns `timeZones`: IANA names; `timeZone`: for each place, an index into them
 */
export function timeZonesOf(places: SourcePlace[]): { timeZones: string[]; timeZone: Uint16Array } {
  const nearest = nearestPlace(places);
  const isKnown = ({ timeZone }: SourcePlace): boolean => timeZone !== '';
  const names = places.map((place) => {
    if (isKnown(place)) return place.timeZone;
    const { country, latitude, longitude } = place;
    const near = nearest(country, latitude, longitude, isKnown);
    return near && near.km <= MAX_ZONE_KM ? near.place.timeZone : lookUp(latitude, longitude);
  });
  const timeZones = [...new Set(names)].sort();
  const indexes = new Map(timeZones.map((name, index) => [name, index]));
  return { timeZones, timeZone: Uint16Array.from(names, (name) => indexes.get(name) ?? 0) };
}
