import { sourcePlace, type SourcePlace } from './source-places.js';
import table from './tables/islands.json' with { type: 'json' };

interface Island {
  country: string;
  town: string;
  names: string[];
  /** Other countries in which the names and the town are found. */
  also: string[];
  /** Latitude and longitude of a town that no source has. */
  at?: [number, number] | undefined;
}

type Row = [country: string, town: string, names: string[], more?: Partial<Island>];

/** The reviewed table of islands. */
export const ISLANDS = (table.islands as Row[]).map(([country, town, names, more]): Island => {
  return { country, town, names, also: [], ...more };
});

/** Adds the towns of the table that no source has. */
export function addIslands(sources: SourcePlace[]): SourcePlace[] {
  const added = ISLANDS.flatMap(({ country, town: name, names: alternateNames, at }) => {
    const [latitude, longitude] = at ?? [];
    if (latitude === undefined || longitude === undefined) return [];
    return [sourcePlace({ name, country, latitude, longitude, alternateNames })];
  });
  return [...sources, ...added];
}
