import assert from 'node:assert/strict';
import { it } from 'node:test';
import { BORDER_TOWNS } from '../support/border-towns.js';
import { useService } from '../support/conformance.js';
import { ask } from '../support/http-client.js';

const PATHS = ['/api/v1/conditions', '/api/v1/forecast', '/api/v1/forecast/hourly'];

interface Body {
  place: { timezone: string; latitude: number; longitude: number };
  timezone?: string;
}

/** MET Norway sends no time zone, so for its responses a few towns are enough. */
for (const [provider, towns] of [
  ['open-meteo', BORDER_TOWNS],
  ['met-norway', BORDER_TOWNS.slice(0, 5)],
] as const) {
  const fixture = useService({ WEATHER_PROVIDERS: provider, RATE_LIMIT_PER_IP: '1000' });

  for (const [city, country, timeZone] of towns) {
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
