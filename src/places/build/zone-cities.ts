import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The city that a time zone is named after. */
export interface ZoneCity {
  /** ISO 3166-1 alpha-2. */
  country: string;
  english: string;
  /** Its names, each by the locale of CLDR that has it. */
  names: [locale: string, name: string][];
}

interface ZoneTree {
  [part: string]: ZoneTree | string;
}

const require = createRequire(import.meta.url);

/**
 * The cities of the time zones in all languages of Unicode CLDR, by the packages cldr-bcp47 (zones and
 * their countries) and cldr-dates-full (names).
 */
export function readZoneCities(): ZoneCity[] {
  const cities = zones();
  const main = join(dirname(require.resolve('cldr-dates-full/package.json')), 'main');
  for (const locale of readdirSync(main).sort()) {
    const text = readFileSync(join(main, locale, 'timeZoneNames.json'), 'utf8');
    const { main: byLocale } = JSON.parse(text) as {
      main: Record<string, { dates: { timeZoneNames: { zone?: ZoneTree } } }>;
    };
    for (const [zone, name] of exemplarCities(byLocale[locale]?.dates.timeZoneNames.zone ?? {})) {
      const city = cities.get(zone);
      city?.names.push([locale, name]);
      if (city && locale === 'en') city.english = name;
    }
  }
  return [...cities.values()];
}

/** Every zone of IANA's that CLDR knows, with the country and the city that its name says. */
function zones(): Map<string, ZoneCity> {
  const { keyword } = require('cldr-bcp47/bcp47/timezone.json') as {
    keyword: { u: { tz: Record<string, string | { _alias?: string; _region?: string }> } };
  };
  const cities = new Map<string, ZoneCity>();
  for (const [id, entry] of Object.entries(keyword.u.tz)) {
    if (typeof entry === 'string') continue;
    for (const zone of entry._alias?.split(' ') ?? []) {
      cities.set(zone, {
        country: (entry._region ?? id.slice(0, 2)).toUpperCase(),
        english: zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' '),
        names: [],
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
