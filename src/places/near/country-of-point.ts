import { createRequire } from 'node:module';
import type * as CountryCoder from '@rapideditor/country-coder';
import type { Point } from '../../weather/types.js';

/** Ceuta, Melilla, and the Canary Islands have reserved codes. The gazetteer has them in Spain. */
const RESERVED: Record<string, string> = { EA: 'ES', IC: 'ES' };
/** Two regions of Cyprus have no code. The gazetteer has them in Cyprus. Keys are Wikidata IDs. */
const UNCODED: Record<string, string> = { Q23681: 'CY', Q37362: 'CY' };
/** The borders' polygons end at the antimeridian. A point on it is moved this far to both sides. */
const STEP_DEGREES = 1e-5;

let coder: typeof CountryCoder | undefined;

/**
 * Returns the ISO 3166-1 alpha-2 code of the country or territory in which a point lies (Hong Kong,
 * not China), or undefined for a point at sea. The borders include coastal waters (country-coder,
 * data of OpenStreetMap contributors).
 */
export function countryOfPoint({ latitude, longitude }: Point): string | undefined {
  const code = codeAt(longitude, latitude);
  if (code !== undefined) return disputed(code, longitude, latitude);
  if (Math.abs(longitude) < 180 - STEP_DEGREES) return undefined;
  return codeAt(180 - STEP_DEGREES, latitude) ?? codeAt(STEP_DEGREES - 180, latitude);
}

function codeAt(longitude: number, latitude: number): string | undefined {
  // Loading the borders takes up to 0.1 s of CPU time, so it is done for the first point.
  coder ??= createRequire(import.meta.url)('@rapideditor/country-coder') as typeof CountryCoder;
  const place: [number, number] = [longitude, latitude];
  const code =
    UNCODED[coder.wikidataQID(place, { level: 'territory' }) ?? ''] ??
    coder.iso1A2Code(place, { level: 'territory' });
  return code === null ? undefined : (RESERVED[code] ?? code);
}

/** Returns a disputed area's country by the United Nations' list. Borders show who controls it. */
function disputed(code: string, longitude: number, latitude: number): string {
  // Crimea and its waters. No other area under control of Russia is south and west of these limits.
  if (code === 'RU' && latitude < 46.2 && longitude < 36.65) return 'UA';
  // Western Sahara begins south of this parallel.
  if (code === 'MA' && latitude < 27.6667) return 'EH';
  return code;
}
