import assert from 'node:assert/strict';
import { it } from 'node:test';
import { useService } from '../support/conformance.js';
import { ask } from '../support/http-client.js';

/** Towns near a border of time zones. The map of zones, or Open-Meteo, has another zone for most of them. */
const TOWNS: [city: string, country: string, timeZone: string][] = [
  ['Yuma', 'USA', 'America/Phoenix'],
  ['Dandong', 'China', 'Asia/Shanghai'],
  ['Jayapura', 'Indonesia', 'Asia/Jayapura'],
  ['Ayvalık', 'Turkey', 'Europe/Istanbul'],
  ['Nepalgunj', 'Nepal', 'Asia/Kathmandu'],
  ['Tornio', 'Finland', 'Europe/Helsinki'],
  ['Narva', 'Estonia', 'Europe/Tallinn'],
  ['Leticia', 'Colombia', 'America/Bogota'],
];
const PATHS = ['/api/v1/conditions', '/api/v1/forecast', '/api/v1/forecast/hourly'];

interface Body {
  place: { timezone: string; latitude: number; longitude: number };
  timezone?: string;
}

for (const provider of ['open-meteo', 'met-norway']) {
  const fixture = useService({ WEATHER_PROVIDERS: provider, RATE_LIMIT_PER_IP: '1000' });

  for (const [city, country, timeZone] of TOWNS) {
    it(`${city} has one time zone, in every response of ${provider}`, async () => {
      const zones = new Set<string | undefined>();
      const read = async (path: string, query: Record<string, string>) => {
        const target = `${path}?${new URLSearchParams(query).toString()}`;
        const { json } = await ask(fixture.url + target);
        const { place, timezone = place.timezone } = json as Body;
        zones.add(place.timezone).add(timezone);
        return place;
      };
      for (const path of PATHS) {
        const { latitude, longitude } = await read(path, { city, country });
        // Another key of the cache, in the same town.
        const at = { lat: String(latitude + 0.0003), lon: String(longitude) };
        await read(`${path}/coordinates`, at);
      }
      assert.deepEqual([...zones], [timeZone]);
    });
  }
}
