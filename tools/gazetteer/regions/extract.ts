import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** What `regions.json` holds. */
export interface Extract {
  source: string;
  license: string;
  /** Each region with its code in GeoNames, its code in ISO 3166-2 without the country, and its names. */
  countries: { country: string; regions: [geonames: string, iso: string, names: string[]][] }[];
}

interface Region {
  iso: string;
  admin: string;
  names: Record<string, string>;
  reference?: { geonames?: number };
}

/**
 * The first-level divisions of all countries: codes and names in a dozen languages by iso3166-2-db, the names
 * of ISO 3166-2 by iso-3166, today's English names by Unicode CLDR. OpenStreetMap's names, which
 * iso3166-2-db has too, are left out: their licence is another one.
 *
 * @param modules the folder that holds the packages
 */
export async function extractRegions(modules: string): Promise<Extract> {
  const read = (path: string): unknown => JSON.parse(readFileSync(join(modules, path), 'utf8'));
  const iso = await namesOfIso(modules);
  const english = namesOfCldr(read('cldr-subdivisions-full/subdivisions/en/en.json'));
  const inLanguages = read('iso3166-2-db/data/names_geonames.json') as Names;
  const countries = read('iso3166-2-db/data/iso3166-2.json') as Record<
    string,
    { regions?: Region[] }
  >;
  const version = (name: string): string =>
    `${name} ${(read(`${name}/package.json`) as { version: string }).version}`;
  const packages = ['iso3166-2-db', 'iso-3166', 'cldr-subdivisions-full'];
  return {
    source: `packages ${packages.map(version).join(', ')}`,
    license: 'MIT and Unicode-3.0, see LICENSE',
    countries: Object.entries(countries)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([country, { regions = [] }]) => ({
        country,
        regions: regions
          .filter(({ admin }) => admin !== '')
          .map((region): [string, string, string[]] => {
            const code = `${country}-${region.iso}`;
            const others = inLanguages[String(region.reference?.geonames)] ?? {};
            const names = [
              ...Object.values(region.names),
              ...Object.values(others),
              iso.get(code) ?? '',
              english.get(code) ?? '',
            ].map((name) => name.replace(/\u200e/g, '').trim());
            return [region.admin, region.iso, [...new Set(names)].filter((name) => name !== '')];
          })
          .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)),
      }))
      .filter(({ regions }) => regions.length > 0),
  };
}

type Names = Record<string, Record<string, string>>;

/** ISO's own names: each by its code. The package is a module without a main file for `require`. */
async function namesOfIso(modules: string): Promise<Map<string, string>> {
  const { iso31662 } = (await import(pathToFileURL(join(modules, 'iso-3166/2.js')).href)) as {
    iso31662: { code: string; name: string }[];
  };
  return new Map(iso31662.map(({ code, name }) => [code, name]));
}

/** CLDR writes "usca" for US-CA. */
function namesOfCldr(file: unknown): Map<string, string> {
  const { subdivisions } = file as {
    subdivisions: { localeDisplayNames: { subdivisions: Record<string, string> } };
  };
  const names = Object.entries(subdivisions.localeDisplayNames.subdivisions);
  return new Map(
    names.map(([code, name]) => [`${code.slice(0, 2)}-${code.slice(2)}`.toUpperCase(), name]),
  );
}

/** The text of the file: one line for each country, so that a change is easy to read. */
export function formatExtract({ source, license, countries }: Extract): string {
  const lines = countries.map((country) => JSON.stringify(country));
  const head = `"source":${JSON.stringify(source)},\n"license":${JSON.stringify(license)}`;
  return `{${head},\n"countries":[\n${lines.join(',\n')}\n]}\n`;
}
