import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { locationRoutes } from '../../src/http/endpoints/location-routes.js';
import { BY_NAME } from '../../src/http/endpoints/location-ways.js';
import { WEATHER } from '../../src/http/endpoints/weather-endpoint.js';
import { createFinder } from '../../src/http/finder.js';
import { createLocationAnswerer } from '../../src/http/location-answers.js';
import { cachedSince } from '../../src/weather/cache-entry.js';
import type { Lookup } from '../../src/weather/lookup.js';
import { appOf } from '../support/edge.js';
import { nextIteration } from '../support/eventually.js';
import { ask } from '../support/http-client.js';
import { listenLocally } from '../support/listen-locally.js';
import { manualClock } from '../support/manual-clock.js';
import { scope } from '../support/scope.js';

const POINT = { latitude: 59.9127, longitude: 10.7461 };
const LOCATED = {
  location: { city: 'Oslo', country: 'Norway', latitude: null, longitude: null },
  place: {
    ...POINT,
    ...{ city: 'Oslo', country: 'Norway', countryCode: 'NO', region: undefined },
    timeZone: 'Europe/Oslo',
  },
  point: POINT,
  timeZone: 'Europe/Oslo',
  isFromGazetteer: true,
};
const VALUE = { temperature: 1, weather_code: 45, humidity: 90, wind_speed: 3 };
const TTL = { freshMs: 300_000, staleMs: 3_600_000 };

function answersOf() {
  const entry = cachedSince({ value: VALUE, provider: 'demo' }, TTL, 0, 'fetch-1');
  const finder = createFinder({
    locator: {
      byCity: () => Promise.resolve(LOCATED),
      byCoordinates: () => LOCATED,
      byCode: () => LOCATED,
    },
    lookup: (() => Promise.resolve({ entry, outcome: 'HIT' })) as unknown as Lookup,
    clock: manualClock(),
  });
  return createLocationAnswerer(finder);
}

it('a lookup has the height of the place that was found', async () => {
  let request: unknown;
  const finder = createFinder({
    locator: {
      byCity: () => ({ ...LOCATED, place: { ...LOCATED.place, elevation: 26 } }),
      byCoordinates: () => LOCATED,
      byCode: () => LOCATED,
    },
    lookup: ((_kind: unknown, asked: unknown) => {
      request = asked;
      const entry = cachedSince({ value: VALUE, provider: 'demo' }, TTL, 0, 'fetch-1');
      return { entry, outcome: 'HIT' };
    }) as unknown as Lookup,
    clock: manualClock(),
  });
  await finder.find(WEATHER, BY_NAME, { city: 'Oslo', country: 'NO' }, scope());
  assert.deepEqual(request, { point: POINT, timeZone: 'Europe/Oslo', elevation: 26 });
});

it('a response is sent after its search was recorded, so that the list has it', async (t) => {
  const events: string[] = [];
  const app = appOf(locationRoutes(answersOf()), {
    countRequest: () => Promise.resolve(undefined),
    sessions: {
      open: () => Promise.resolve(false),
      async close(_ctx, _confirms, search) {
        await nextIteration();
        events.push(`recorded: ${search?.city}, ${search?.country}, ${search?.placeKey}`);
      },
      renewId: () => Promise.resolve(),
    },
  });
  const url = await listenLocally(t, app.callback());
  assert.equal((await ask(`${url}/api/v1/weather?city=oslo&country=NO`)).status, 200);
  assert.deepEqual(events, ['recorded: Oslo, Norway, 59.9127:10.7461']);
});

it('a known URL refers to no cache entry, so an entry that was evicted is free', async () => {
  const values: WeakRef<object>[] = [];
  const finder = createFinder({
    locator: { byCity: () => LOCATED, byCoordinates: () => LOCATED, byCode: () => LOCATED },
    lookup: (() => {
      const value = { ...VALUE };
      values.push(new WeakRef(value));
      const entry = cachedSince({ value, provider: 'demo' }, TTL, 0, `fetch-${values.length}`);
      return { entry, outcome: 'HIT' };
    }) as unknown as Lookup,
    clock: manualClock(),
  });
  const answer = createLocationAnswerer(finder);
  const { known } = await answer(WEATHER, BY_NAME, { city: 'Oslo', country: 'NO' }, scope());
  assert.ok(known);
  // Each request finds another entry, and its answer is known in place of the one before.
  const again = await answer(WEATHER, BY_NAME, {}, scope(), known);
  assert.notEqual(again.known?.fetchId, known.fetchId);
  await nextIteration();
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  assert.deepEqual(
    values.map((value) => value.deref()),
    [undefined, undefined],
  );
  assert.equal(known.answer.status, 200);
});
