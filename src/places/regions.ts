import { createRequire } from 'node:module';
import type * as CountryCoder from '@rapideditor/country-coder';
import type { Point } from '../weather/types.js';

/**
 * Ceuta, Melilla and the Canaries have reserved codes. The gazetteer has their cities under Spain.
 */
const RESERVED: Record<string, string> = { EA: 'ES', IC: 'ES' };
/** Two regions of Cyprus have no code. The gazetteer has their cities under Cyprus. By Wikidata id. */
const UNCODED: Record<string, string> = { Q23681: 'CY', Q37362: 'CY' };
/** The borders' polygons end at the antimeridian. A point on it is moved this far to either side. */
const STEP_DEGREES = 1e-5;

/**
 * Gives the country in which a point lies: the ISO 3166-1 alpha-2 code of the territory (Hong Kong,
 * not China), or undefined at sea.
 */
export type RegionOf = (point: Point) => string | undefined;

/**
 * The borders, coastal waters included: country-coder, data of OpenStreetMap contributors. They take
 * up to 0.1 s of processor time, so they are loaded for the first point: a process that is never asked by
 * coordinates does not pay for them.
 */
export function createRegions(): RegionOf {
  let coder: typeof CountryCoder | undefined;

  return ({ latitude, longitude }) => {
    const code = codeAt(longitude, latitude);
    if (code !== undefined) return disputed(code, longitude, latitude);
    if (Math.abs(longitude) < 180 - STEP_DEGREES) return undefined;
    return codeAt(180 - STEP_DEGREES, latitude) ?? codeAt(STEP_DEGREES - 180, latitude);
  };

  function codeAt(longitude: number, latitude: number): string | undefined {
    coder ??= createRequire(import.meta.url)('@rapideditor/country-coder') as typeof CountryCoder;
    const place: [number, number] = [longitude, latitude];
    const code =
      UNCODED[coder.wikidataQID(place, { level: 'territory' }) ?? ''] ??
      coder.iso1A2Code(place, { level: 'territory' });
    return code === null ? undefined : (RESERVED[code] ?? code);
  }
}

/**
 * The borders show who controls the ground; the gazetteer follows the list of the United Nations.
 * They differ over whole cities. There we take the gazetteer's country: under the other one, no
 * city would be found.
 */
function disputed(code: string, longitude: number, latitude: number): string {
  const crimea = latitude > 44.2 && latitude < 46.2 && longitude > 32.4 && longitude < 36.65;
  if (code === 'RU' && crimea) return 'UA';
  // Western Sahara begins south of this parallel.
  if (code === 'MA' && latitude < 27.6667) return 'EH';
  return code;
}
