import { loadGazetteer } from '../../src/places/gazetteer.js';
import { builtGazetteer } from '../../tools/places/built-gazetteer.js';

export const gazetteer = loadGazetteer(builtGazetteer());

/** Finds a place: its city and country, or why it is not found. */
export function find(city: string, country: string): string {
  const match = gazetteer.findCity(city, country);
  if (match.kind !== 'found') return match.kind;
  return `${match.place.city}, ${match.place.country}`;
}
