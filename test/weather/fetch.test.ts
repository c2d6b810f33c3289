import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createFetcher } from '../../src/weather/fetch.js';
import type { FetchRequest } from '../../src/weather/request.js';
import type { FetchCall } from '../../src/weather/types.js';
import { systemClock } from '../support/manual-clock.js';
import { recordingLog } from '../support/records.js';

const WEATHER = { temperature: 1, condition: 'Fog', humidity: 50, wind_speed: 2 };
const POINT = { latitude: 1, longitude: 2 };
const LIFE = { freshMs: 1000, staleMs: 0 };

it('a fetch hands on its time for the store, its names in records, and whether the place is known', async () => {
  const calls: FetchCall[] = [];
  const fetcher = createFetcher({
    providers: {
      current(_, call) {
        calls.push(call);
        return Promise.resolve({ weather: WEATHER, provider: 'first', ageMs: 0 });
      },
    },
    geocoder: {
      name: 'places',
      search: (_city, _country, call) => Promise.resolve(void calls.push(call)),
    },
    lives: { weather: LIFE, noSuchPlace: LIFE },
    timeoutMs: 1000,
    clock: systemClock,
    log: recordingLog().log,
  });
  const time = { storeMs: 250 };
  const identity = { fetchId: 'one', parent: undefined };
  const requests: FetchRequest[] = [
    { kind: 'weather', point: POINT, isKnown: true },
    { kind: 'weather', point: POINT },
    { kind: 'geocode', city: 'Aa', countryCode: 'NO', name: 'aa:no' },
  ];
  for (const request of requests) {
    await fetcher(request, identity, new AbortController().signal, time);
  }
  assert.deepEqual(
    calls.map(({ about, reserve }) => [about?.key, about?.fetch_id, reserve]),
    [
      ['weather:1.0000:2.0000', 'one', true],
      ['weather:1.0000:2.0000', 'one', undefined],
      ['place:aa:no', 'one', undefined],
    ],
  );
  assert.ok(calls.every((call) => call.time === time));
});
