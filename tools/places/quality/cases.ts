import { createRequire } from 'node:module';
import { readZoneCities } from '../../gazetteer/zone-cities.js';
import { naturalEarthBorders } from './borders.js';
import { kilometres } from './distance.js';
import { countryList, naturalEarthCities, simpleMapsCities, type CityRow } from './sources.js';

/** A question by name; without a position, finding anything of that name is right. */
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
/** Two sources mean the same city. */
const SAME_CITY_KM = 50;

const simpleMaps = simpleMapsCities();
const naturalEarth = naturalEarthCities();
const bySimpleName = new Map<string, CityRow[]>();
for (const row of simpleMaps) {
  const key = `${row.iso2}:${plain(row.ascii)}`;
  bySimpleName.set(key, [...(bySimpleName.get(key) ?? []), row]);
}

/**
 * Cities above 100,000 people that two independent sources give under one name at one place: each
 * alone has misspellings ("Shijianzhuang") and misplaced entries. A name is left out when another
 * city of the country has it and is more than half as large: then no answer is the right one.
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
  const asked = (city: string, country: string, row: CityRow): NameCase => {
    return { city, country, iso2: row.iso2, at: row };
  };
  return {
    name: pairs.map(({ ours, theirs }) => asked(theirs.name, theirs.country, ours)),
    native: pairs.map(({ ours }) => asked(ours.name, ours.iso3, ours)),
    ascii: pairs.map(({ ours }) => asked(ours.ascii, ours.iso2, ours)),
  };
}

/** The capitals of all countries and territories, by two lists. */
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

/** Scripts that were made for a language by a few people, or that nobody names its cities in. */
const RARE = /-(?:Dsrt|Shaw|Adlm|Mong)/;

/**
 * Cities of time zones in the languages that are official in their country, and in all languages.
 * Zones that are named after an island or a region are left out: no city has their English name.
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
      const asked = { city, country: iso2, iso2, at: known };
      every.set(`${iso2}:${city}`, asked);
      // "ne" is Nepali as in Nepal, "ne-IN" as in India: the language of another country.
      const [language = '', region = iso2] = locale.split('-');
      if (region === iso2 && languages.get(iso2)?.includes(language)) {
        native.set(`${iso2}:${city}`, asked);
      }
    }
  }
  return { native: [...native.values()], every: [...every.values()] };
}

/** Towns at borders and coasts on whose country SimpleMaps and Natural Earth's borders agree. */
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
  const asked = ({ latitude, longitude, iso2, name }: CityRow): PointCase => {
    return { latitude, longitude, iso2, city: name };
  };
  return {
    border: simpleMaps
      .filter((row) => borders.nearBorder(row.latitude, row.longitude, 15) && agreed(row))
      .map(asked),
    coast: simpleMaps
      .filter((row) => borders.nearCoast(row.latitude, row.longitude, 5) && agreed(row))
      .map(asked),
  };
}

function apart(a: CityRow, b: CityRow): number {
  return kilometres(a.latitude, a.longitude, b.latitude, b.longitude);
}

/** Folded by other means than the gazetteer's. */
function plain(ascii: string): string {
  return ascii
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z]/g, '');
}
