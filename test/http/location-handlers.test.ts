import assert from 'node:assert/strict';
import { it } from 'node:test';
import Koa from 'koa';
import type { RequestState } from '../../src/http/context.js';
import { WEATHER } from '../../src/http/endpoints/weather.js';
import { createLocationHandlers } from '../../src/http/location-handlers.js';
import { parseTarget } from '../../src/http/request-target.js';
import { cachedNow } from '../../src/weather/cache-entry.js';
import type { Lookup } from '../../src/weather/lookup.js';
import { nextIteration } from '../support/eventually.js';
import { ask } from '../support/http-client.js';
import { listenLocally } from '../support/listen-locally.js';
import { manualClock } from '../support/manual-clock.js';
import { scope } from '../support/scope.js';

const POINT = { latitude: 59.9127, longitude: 10.7461 };
const LOCATED = {
  location: { city: 'Oslo', country: 'Norway', latitude: null, longitude: null },
  place: { ...POINT, city: 'Oslo', country: 'Norway', countryCode: 'NO', region: undefined },
  point: POINT,
};
const VALUE = { temperature: 1, weather_code: 45, humidity: 90, wind_speed: 3 };
const TTL = { freshMs: 300_000, staleMs: 3_600_000 };

it('a response is made after its search was recorded, so that the list has it', async (t) => {
  const events: string[] = [];
  const entry = cachedNow({ value: VALUE, provider: 'demo' }, TTL, 0, 'fetch-1');
  const handlers = createLocationHandlers({
    locator: { byCity: () => Promise.resolve(LOCATED), byCoordinates: () => LOCATED },
    lookup: (() => Promise.resolve({ entry, outcome: 'HIT' })) as unknown as Lookup,
    attributionOf: () => undefined,
    creditOf: () => undefined,
    timeZoneAt: () => 'Europe/Oslo',
    middleware: { session: [], public: [] },
    session: {
      async record(_ctx, { city, country, placeKey }) {
        await nextIteration();
        events.push(`recorded: ${city}, ${country}, ${placeKey}`);
      },
    },
    bodyMs: 1000,
    clock: manualClock(),
  });
  const app = new Koa<RequestState>();
  app.use(async (ctx, next) => {
    Object.assign(ctx.state, { target: parseTarget(ctx.req.url ?? ''), scope: scope() });
    await next();
    events.push('response');
  });
  app.use(handlers.fromQuery(WEATHER));
  const url = await listenLocally(t, app.callback());
  assert.equal((await ask(`${url}/?city=oslo&country=NO`)).status, 200);
  assert.deepEqual(events, ['recorded: Oslo, Norway, 59.9127:10.7461', 'response']);
});
