import { distancesFrom } from '../../src/weather/distance.js';
import { groupBy } from './group-by.js';
import type { SourcePlace } from './source-places.js';

/** A place, and its distance from a point. */
export interface Near {
  place: SourcePlace;
  km: number;
}

/** Size of a cell in degrees, and in km along a meridian. */
const CELL = 0.5;
const CELL_KM = 55;
/** More than the number of columns, so that cells beyond the date line have their own numbers. */
const COLUMNS = 2000;

/** Creates the search for a country's nearest place within 55 km that `isWanted` accepts. */
export function nearestPlace(places: SourcePlace[]) {
  const cell = (x: number, y: number): number => y * COLUMNS + x;
  const column = (longitude: number): number => Math.floor(longitude / CELL);
  const row = (latitude: number): number => Math.floor(latitude / CELL);
  const cells = groupBy(places, ({ latitude, longitude }) =>
    cell(column(longitude), row(latitude)),
  );
  return (
    country: string,
    latitude: number,
    longitude: number,
    isWanted: (place: SourcePlace) => boolean,
  ): Near | undefined => {
    // Away from the equator, 55 km are more columns.
    const wide = Math.ceil(1 / Math.max(Math.cos((latitude * Math.PI) / 180), 0.1));
    const distanceTo = distancesFrom({ latitude, longitude });
    let best: Near | undefined;
    for (let y = row(latitude) - 1; y <= row(latitude) + 1; y++) {
      for (let x = column(longitude) - wide; x <= column(longitude) + wide; x++) {
        for (const place of cells.get(cell(x, y)) ?? []) {
          if (place.country !== country || !isWanted(place)) continue;
          const km = distanceTo(place);
          if (km < (best?.km ?? CELL_KM)) best = { place, km };
        }
      }
    }
    return best;
  };
}
