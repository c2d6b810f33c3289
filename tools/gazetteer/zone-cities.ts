import extract from './zone-cities/zone-cities.json' with { type: 'json' };

/** The city in the name of a time zone. */
export interface ZoneCity {
  /** ISO 3166-1 alpha-2. */
  country: string;
  english: string;
  /** Its names, with the locales of Unicode CLDR that use them. */
  names: { name: string; locales: string[] }[];
}

/** Returns the cities of time zones in all languages of Unicode CLDR, see `zone-cities/extract.ts`. */
export function readZoneCities(): ZoneCity[] {
  return extract.cities.map(({ country, english, names }) => ({
    country,
    english,
    names: names.map(([name = '', locales = '']) => ({ name, locales: locales.split(' ') })),
  }));
}
