import { createRequire } from 'node:module';
import { readZoneCities } from '../../gazetteer/zone-cities.js';
import { naturalEarthBorders } from './borders.js';
import { distancesFrom } from '../../../src/places/distance.js';
import { countryList, naturalEarthCities, simpleMapsCities, type CityRow } from './sources.js';

/** A city and country to look up. Without a position, every found place is correct. */
export interface NameCase {
  city: string;
  country: string;
  iso2: string;
  at?: { latitude: number; longitude: number };
}

export interface PointCase {
  latitude: number;
  longitude: number;
  iso2: string;
  city: string;
}

const LARGE = 100_000;
/** Entries of two sources within this distance are the same city. */
const SAME_CITY_KM = 50;

const simpleMaps = simpleMapsCities();
const naturalEarth = naturalEarthCities();
const bySimpleName = new Map<string, CityRow[]>();
for (const row of simpleMaps) {
  const key = `${row.iso2}:${plain(row.ascii)}`;
  bySimpleName.set(key, [...(bySimpleName.get(key) ?? []), row]);
}

/**
 * Returns cities above 100,000 people with the same name and position in two independent sources, because each source
 * has misspellings ("Shijianzhuang") and wrong positions. A name is left out if another city of the country with this
 * name is more than half as large, because then either is correct.
 */
export function largeCities(): { name: NameCase[]; native: NameCase[]; ascii: NameCase[] } {
  const agreed = new Map<string, { ours: CityRow; theirs: CityRow }>();
  for (const theirs of naturalEarth) {
    const key = `${theirs.iso2}:${plain(theirs.ascii)}`;
    const namesakes = bySimpleName.get(key) ?? [];
    const ours = namesakes.find((row) => apart(row, theirs) < SAME_CITY_KM);
    if (!ours) continue;
    const population = Math.min(ours.population, theirs.population);
    const rivals = [
      ...namesakes.filter((row) => row !== ours),
      ...naturalEarth.filter(
        (row) =>
          row.iso2 === theirs.iso2 &&
          plain(row.ascii) === plain(theirs.ascii) &&
          apart(row, theirs) > SAME_CITY_KM,
      ),
    ];
    if (population < LARGE || rivals.some((row) => row.population > population / 2)) continue;
    agreed.set(key, { ours, theirs });
  }
  const pairs = [...agreed.values()];
  const toCase = (city: string, country: string, row: CityRow): NameCase => {
    return { city, country, iso2: row.iso2, at: row };
  };
  return {
    name: pairs.map(({ ours, theirs }) => toCase(theirs.name, theirs.country, ours)),
    native: pairs.map(({ ours }) => toCase(ours.name, ours.iso3, ours)),
    ascii: pairs.map(({ ours }) => toCase(ours.ascii, ours.iso2, ours)),
  };
}

/** Returns the capitals of all countries and territories in two lists. */
export function capitals(): { english: NameCase[]; nativeCountry: NameCase[] } {
  const listed = countryList().filter((row) => row.capital !== '');
  return {
    english: [
      ...simpleMaps
        .filter((row) => row.capital)
        .map((row) => ({ city: row.name, country: row.country, iso2: row.iso2, at: row })),
      ...listed.map((row) => ({ city: row.capital, country: row.name, iso2: row.iso2 })),
    ],
    nativeCountry: listed.map((row) => ({
      city: row.capital,
      country: row.native,
      iso2: row.iso2,
    })),
  };
}

/** Scripts that are rarely used for names of cities. */
const RARE = /-(?:Dsrt|Shaw|Adlm|Mong)/;

/**
 * Returns cities of time zones with their names in the official languages of their country, and in all languages. Zones
 * with the name of an island or a region are left out, because no city has this name.
 */
export function cityNamesInScripts(): { native: NameCase[]; every: NameCase[] } {
  const languages = new Map(countryList().map((row) => [row.iso2, row.languages]));
  const native = new Map<string, NameCase>();
  const every = new Map<string, NameCase>();
  for (const { country: iso2, english, names } of readZoneCities()) {
    const [known] = [...(bySimpleName.get(`${iso2}:${plain(english)}`) ?? [])].sort(
      (a, b) => b.population - a.population,
    );
    if (!known) continue;
    const pairs = names.flatMap(({ name, locales }) => locales.map((locale) => [locale, name]));
    for (const [locale = '', city = ''] of pairs) {
      if (RARE.test(locale)) continue;
      const toCase = { city, country: iso2, iso2, at: known };
      every.set(`${iso2}:${city}`, toCase);
      // "ne" is Nepali as in Nepal, "ne-IN" as in India: the language of another country.
      const [language = '', region = iso2] = locale.split('-');
      if (region === iso2 && languages.get(iso2)?.includes(language)) {
        native.set(`${iso2}:${city}`, toCase);
      }
    }
  }
  return { native: [...native.values()], every: [...every.values()] };
}

/** Returns towns near borders and coasts for which SimpleMaps and Natural Earth have the same country. */
export function borderAndCoastPoints(): { border: PointCase[]; coast: PointCase[] } {
  const require = createRequire(import.meta.url);
  const iso = require('i18n-iso-countries') as {
    numericToAlpha2(code: string): string | undefined;
  };
  const borders = naturalEarthBorders();
  const agreed = ({ latitude, longitude, iso2 }: CityRow): boolean => {
    const [country, another] = borders.countriesAt(latitude, longitude);
    return country !== undefined && another === undefined && iso.numericToAlpha2(country) === iso2;
  };
  const toCase = ({ latitude, longitude, iso2, name }: CityRow): PointCase => {
    return { latitude, longitude, iso2, city: name };
  };
  return {
    border: simpleMaps
      .filter((row) => borders.nearBorder(row.latitude, row.longitude, 15) && agreed(row))
      .map(toCase),
    coast: simpleMaps
      .filter((row) => borders.nearCoast(row.latitude, row.longitude, 5) && agreed(row))
      .map(toCase),
  };
}

function apart(a: CityRow, b: CityRow): number {
  return distancesFrom(a)(b.latitude, b.longitude);
}

/** Folds a name independently of the gazetteer. */
function plain(ascii: string): string {
  return ascii
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z]/g, '');
}
