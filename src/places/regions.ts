import { iso1A2Code, wikidataQID } from '@rapideditor/country-coder';
import type { Point } from '../weather/types.js';

/** Ceuta, Melilla and the Canaries have reserved codes of their own; their cities are Spain's. */
const RESERVED: Record<string, string> = { EA: 'ES', IC: 'ES' };
/** Regions without a code whose cities the gazetteer has under Cyprus, by Wikidata id. */
const UNCODED: Record<string, string> = { Q23681: 'CY', Q37362: 'CY' };
/** How far to step off the antimeridian, which is the edge of the borders' polygons. */
const STEP_DEGREES = 1e-5;

/**
 * Which country a point lies in: ISO 3166-1 alpha-2 of the territory (Hong Kong, not China), or
 * undefined at sea. Borders: country-coder (OpenStreetMap contributors), coastal waters included.
 */
export function regionOf({ latitude, longitude }: Point): string | undefined {
  const code = codeAt(longitude, latitude);
  if (code !== undefined || Math.abs(longitude) < 180 - STEP_DEGREES) {
    return code === undefined ? undefined : disputed(code, longitude, latitude);
  }
  return codeAt(180 - STEP_DEGREES, latitude) ?? codeAt(STEP_DEGREES - 180, latitude);
}

function codeAt(longitude: number, latitude: number): string | undefined {
  const place: [number, number] = [longitude, latitude];
  const code =
    UNCODED[wikidataQID(place, { level: 'territory' }) ?? ''] ??
    iso1A2Code(place, { level: 'territory' });
  return code === null ? undefined : (RESERVED[code] ?? code);
}

/**
 * The borders follow who controls the ground, the gazetteer the United Nations' list. Where the two
 * differ over whole cities, the gazetteer's country is taken, or its cities would not be found.
 */
function disputed(code: string, longitude: number, latitude: number): string {
  const crimea = latitude > 44.2 && latitude < 46.2 && longitude > 32.4 && longitude < 36.65;
  if (code === 'RU' && crimea) return 'UA';
  // Western Sahara: the part of it south of the parallel that ends Morocco proper.
  if (code === 'MA' && latitude < 27.6667) return 'EH';
  return code;
}
