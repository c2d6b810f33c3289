import type { NewerPlace } from '../newer-names.js';

/** Columns of a line: https://download.geonames.org/export/dump/readme.txt */
const COLUMNS = 19;

/**
 * Reads a file of GeoNames' dump, such as cities1000.txt: one place a line, its columns parted by tabs.
 *
 * @throws Error for a line with other columns, or without a point
 */
export function parseDump(text: string): NewerPlace[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line, i) => {
      const row = line.split('\t');
      const [, name = '', , , lat = '', lng = '', , , country = '', , admin1 = '', admin2 = ''] =
        row;
      const hasPoint = lat !== '' && lng !== '' && isFinite(Number(lat)) && isFinite(Number(lng));
      if (row.length !== COLUMNS || !hasPoint) {
        throw new Error(`line ${i + 1} is no line of GeoNames' dump`);
      }
      return { name, lat, lng, country, admin1, admin2 };
    });
}
