import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fold } from '../../../src/places/fold.js';
import { bareRegion } from '../../../src/places/region-words.js';

/** The content of `regions.json`. */
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

/** If more codes of a country belong to regions of other names, the codes have changed their meaning. */
const MOST_MOVED = 2;
/** Madagascar: the package has the ISO codes of former provinces at regions. */
const WRONG = 'MG';

/**
 * Extracts the first-level divisions of all countries: codes and names in a dozen languages from iso3166-2-db, names of
 * ISO 3166-2 from iso-3166, and current English names from Unicode CLDR. The names of OpenStreetMap in iso3166-2-db are
 * left out because of their license.
 *
 * @param modules the folder with the packages
 */
export async function extract(modules: string): Promise<Extract> {
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
    license:
      'MIT and Unicode-3.0, names by GeoNames CC BY 4.0 and by Wikipedia CC BY-SA 3.0, see LICENSE',
    countries: Object.entries(countries)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([country, { regions = [] }]) => {
        const listed = regions.filter(({ admin }) => admin !== '');
        const rows = listed.map((region): Row => {
          const others = inLanguages[String(region.reference?.geonames)] ?? {};
          return { region, names: namesOf(country, region, others, listed) };
        });
        for (const names of [iso.names, iso.wholes, english]) addNames(rows, country, names);
        return {
          country,
          regions: rows.map(asListed).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)),
        };
      })
      .filter(({ regions }) => regions.length > 0),
  };
}

interface Row {
  region: Region;
  names: Set<string>;
}

type Listed = Extract['countries'][number]['regions'][number];

function asListed({ region, names }: Row): Listed {
  const cleaned = [...names].map((name) => name.replace(/\u200e/g, '').trim());
  return [region.admin, region.iso, [...new Set(cleaned)].filter((name) => name !== '')];
}

/** Returns the names of a region. Names in other languages are left out if GeoNames has reused its ID, as in Morocco. */
function namesOf(
  country: string,
  region: Region,
  others: Record<string, string>,
  all: Region[],
): Set<string> {
  const own = Object.values(region.names);
  if (country === WRONG) return new Set(own);
  const english = keyOf(others['en'] ?? own[0] ?? '');
  const isMeant = ({ names }: Region): boolean =>
    Object.values(names).some((name) => keyOf(name) === english);
  return new Set(isMeant(region) || !all.some(isMeant) ? [...own, ...Object.values(others)] : own);
}

/**
 * Adds names by their ISO 3166-2 code. If a region already has the name, it decides instead of the code: codes can
 * change their meaning, as in Iran in 2020.
 */
function addNames(rows: Row[], country: string, names: Map<string, string>): void {
  const ofCountry = [...names].filter(([code]) => code.startsWith(`${country}-`));
  const found = ofCountry.map(([code, name]) => {
    const byCode = rows.find(({ region }) => `${country}-${region.iso}` === code);
    const byName = rows.filter((row) => [...row.names].some((own) => keyOf(own) === keyOf(name)));
    const agree = byCode && byName.includes(byCode);
    return { name, byCode, byName: agree || byName.length !== 1 ? undefined : byName[0] };
  });
  const moved = found.filter(({ byCode, byName }) => byCode && byName).length;
  for (const { name, byCode, byName } of found) {
    (byName ?? (moved <= MOST_MOVED && country !== WRONG ? byCode : undefined))?.names.add(name);
  }
}

function keyOf(name: string): string {
  return fold(bareRegion(name)) || fold(name);
}

type Names = Record<string, Record<string, string>>;

/**
 * Reads the names of ISO 3166-2 by code, and the names of the parent divisions by the code of the child: the regions of
 * Dominican provinces. The package can be imported, but not loaded by `require`.
 */
async function namesOfIso(
  modules: string,
): Promise<Record<'names' | 'wholes', Map<string, string>>> {
  const { iso31662 } = (await import(pathToFileURL(join(modules, 'iso-3166/2.js')).href)) as {
    iso31662: { code: string; name: string; parent: string }[];
  };
  const names = new Map(iso31662.map(({ code, name }) => [code, name]));
  const wholes = iso31662.map(({ code, parent }): [string, string] => [
    code,
    names.get(parent) ?? '',
  ]);
  return { names, wholes: new Map(wholes.filter(([, name]) => name !== '')) };
}

/** Reads the names of CLDR, which writes "usca" for US-CA. */
function namesOfCldr(file: unknown): Map<string, string> {
  const { subdivisions } = file as {
    subdivisions: { localeDisplayNames: { subdivisions: Record<string, string> } };
  };
  const names = Object.entries(subdivisions.localeDisplayNames.subdivisions);
  return new Map(
    names.map(([code, name]) => [`${code.slice(0, 2)}-${code.slice(2)}`.toUpperCase(), name]),
  );
}
