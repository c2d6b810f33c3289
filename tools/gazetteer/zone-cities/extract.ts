import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The content of `zone-cities.json`. */
export interface Extract {
  source: string;
  license: string;
  cities: { country: string; english: string; names: [name: string, locales: string][] }[];
}

interface ZoneTree {
  [part: string]: ZoneTree | string;
}

interface City {
  country: string;
  english: string;
  locales: Map<string, string[]>;
}

/**
 * Extracts the cities of time zones in all languages of Unicode CLDR: zones and their countries from cldr-bcp47, names
 * from cldr-dates-full.
 *
 * @param modules the folder with both packages
 */
export function extract(modules: string): Extract {
  const read = (path: string): unknown => JSON.parse(readFileSync(join(modules, path), 'utf8'));
  const cities = zones(read('cldr-bcp47/bcp47/timezone.json') as Zones);
  const main = 'cldr-dates-full/main';
  for (const locale of readdirSync(join(modules, main)).sort()) {
    const { main: byLocale } = read(join(main, locale, 'timeZoneNames.json')) as {
      main: Record<string, { dates: { timeZoneNames: { zone?: ZoneTree } } }>;
    };
    for (const [zone, name] of exemplarCities(byLocale[locale]?.dates.timeZoneNames.zone ?? {})) {
      const city = cities.get(zone);
      city?.locales.set(name, [...(city.locales.get(name) ?? []), locale]);
      if (city && locale === 'en') city.english = name;
    }
  }
  const named = [...cities.values()].filter(({ locales }) => locales.size > 0);
  const { version } = read('cldr-dates-full/package.json') as { version: string };
  return {
    source: `Unicode CLDR ${version}, packages cldr-dates-full and cldr-bcp47`,
    license: 'Unicode-3.0, see LICENSE',
    cities: named.map(({ country, english, locales }) => ({
      country,
      english,
      names: Array.from(locales, ([name, those]) => [name, those.filter(isOwn).join(' ')]),
    })),
  };
}

/** Leaves out locales that inherit the name: "de-AT" has the names of "de". */
function isOwn(locale: string, _: number, locales: string[]): boolean {
  return !locales.includes(locale.replace(/-.*/, '')) || !locale.includes('-');
}

interface Zones {
  keyword: { u: { tz: Record<string, string | { _alias?: string; _region?: string }> } };
}

/** Returns the IANA time zones of CLDR, with the country and the city in their names. */
function zones({ keyword }: Zones): Map<string, City> {
  const cities = new Map<string, City>();
  for (const [id, entry] of Object.entries(keyword.u.tz)) {
    if (typeof entry === 'string') continue;
    for (const zone of entry._alias?.split(' ') ?? []) {
      cities.set(zone, {
        country: (entry._region ?? id.slice(0, 2)).toUpperCase(),
        english: zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' '),
        locales: new Map(),
      });
    }
  }
  return cities;
}

function exemplarCities(tree: ZoneTree, path = ''): [zone: string, name: string][] {
  return Object.entries(tree).flatMap(([part, below]): [string, string][] => {
    if (typeof below === 'string') return [];
    const name = below['exemplarCity'];
    return typeof name === 'string'
      ? [[path + part, name]]
      : exemplarCities(below, `${path}${part}/`);
  });
}
