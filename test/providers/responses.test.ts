import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RemoteProviderName as Name } from '../../src/config/providers.js';
import { UpstreamError } from '../../src/weather/errors.js';
import { providerAt, SECRET_KEY } from '../support/providers.js';
import { PATHS } from '../support/stub-provider.js';
import { useStubProvider } from '../support/use-stub-provider.js';
import { zoned } from '../support/zoned.js';

const SEATTLE = zoned({ latitude: 47.6062, longitude: -122.3321 });

/** The path of the first call for current weather. */
const FIRST_PATHS: Record<Name, string> = {
  'open-meteo': PATHS.openMeteo,
  'met-norway': PATHS.metNorway,
  openweathermap: PATHS.openWeatherMap,
  'weather-gov': PATHS.weatherGovPoint,
  'aviation-weather': PATHS.aviationWeather,
};
const ERRORS: [Name, status: number, body: string, kind: UpstreamError['kind']][] = [
  ['open-meteo', 400, '{"reason":"The supplied API key is invalid."}', 'unavailable'],
  ['open-meteo', 401, '{"reason":"API key required. Please add &apikey="}', 'unavailable'],
  ['open-meteo', 400, '{"reason":"No data is available for this location"}', 'not_covered'],
  ['met-norway', 422, 'no', 'not_covered'],
  ['met-norway', 403, '<html>', 'unavailable'],
  ['openweathermap', 404, '{"message":"city not found"}', 'not_covered'],
  ['openweathermap', 401, `{"message":"Invalid API key: ${SECRET_KEY}"}`, 'unavailable'],
  ['weather-gov', 404, '{"type":"https://api.weather.gov/problems/InvalidPoint"}', 'not_covered'],
  ['weather-gov', 404, 'Not Found', 'bad_answer'],
  ['aviation-weather', 400, '{"error":"Invalid value for format"}', 'bad_answer'],
];

type Body = (list: number[]) => object;
const properties =
  (name: string): Body =>
  (list) => ({ properties: { [name]: list } });
/** The maximum length of each list, and the response that has it. */
const LISTS: [Name, 'current' | 'daily', path: string, max: number, Body][] = [
  ['met-norway', 'current', PATHS.metNorway, 500, properties('timeseries')],
  ['openweathermap', 'current', PATHS.openWeatherMap, 20, (weather) => ({ cod: 200, weather })],
  ['openweathermap', 'daily', PATHS.openWeatherMapForecast, 100, (list) => ({ cod: '200', list })],
  ['weather-gov', 'daily', PATHS.weatherGovForecast, 300, properties('periods')],
  ['aviation-weather', 'current', PATHS.aviationWeather, 400, (reports) => reports],
];

describe('a response', () => {
  const fixture = useStubProvider();
  const failureOf = async (name: Name, ability: 'current' | 'daily' = 'current') => {
    const call = providerAt(name, fixture)[ability]!(SEATTLE, new AbortController().signal);
    const error: unknown = await call.catch((caught: unknown) => caught);
    assert.ok(error instanceof UpstreamError, String(error));
    return error;
  };

  for (const [name, status, body, kind] of ERRORS) {
    it(`of ${name} with the status ${status} and ${body} is ${kind}`, async () => {
      fixture.stub.behave(FIRST_PATHS[name], { kind: 'status', status, body });
      const error = await failureOf(name);
      assert.deepEqual([error.kind, error.retryAfterMs], [kind, undefined]);
      assert.ok(!error.message.includes(SECRET_KEY));
      assert.equal(fixture.stub.calls.length, 1);
    });
  }

  for (const [name, ability, path, max, bodyOf] of LISTS) {
    it(`of ${name} has at most ${max} items at ${path}, which are counted first`, async () => {
      const messageFor = async (length: number) => {
        fixture.stub.respond(path, bodyOf(Array<number>(length).fill(7)));
        return (await failureOf(name, ability)).message;
      };
      assert.match(await messageFor(max + 1), new RegExp(`more than ${max} items`));
      assert.doesNotMatch(await messageFor(max), /more than/);
    });
  }
});
