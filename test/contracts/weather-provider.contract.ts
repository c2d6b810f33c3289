import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { UpstreamError } from '../../src/errors.js';
import { attributionOf } from '../../src/config/providers.js';
import type { UpstreamClient } from '../../src/upstream/upstream-client.js';
import { codeOf } from '../../src/weather/conditions.js';
import type { WeatherProvider } from '../../src/upstream/weather-provider.js';
import type { Point } from '../../src/weather/types.js';
import { eventually } from '../support/eventually.js';
import {
  standInWeather,
  type Behaviour,
  type StandIn,
  type StandInWeather,
} from '../support/stand-in.js';
import { USER_AGENT, useStandIn } from '../support/use-stand-in.js';

export interface ProviderUnderTest {
  name: string;
  /** The path of the stand-in that it calls. */
  path: string;
  create: (client: UpstreamClient, baseUrl: string) => WeatherProvider;
  /** Whether it says of this weather that the sun is up; by default it always does. */
  saysIsDay?: (weather: StandInWeather) => boolean;
  /** Where its answer holds the four values, as keys and indexes into the JSON. */
  values: (string | number)[][];
}

export const SECRET_KEY = 'top-secret-key';

const POINTS: Point[] = [
  { latitude: 51.5085, longitude: -0.1257 },
  { latitude: 51.50853, longitude: -0.1262 },
  { latitude: -33.8678, longitude: 151.2073 },
  { latitude: 0, longitude: 0 },
  { latitude: -0.00001, longitude: 1e-7 },
  { latitude: 90, longitude: -180 },
];
const HERE = POINTS[0]!;

/** One failure of each kind. The others are tested with the client, in `upstream/client-failures`. */
const FAILING: [string, Behaviour, UpstreamError['kind']][] = [
  ['a 500', { kind: 'status', status: 500, body: '<html>' }, 'unavailable'],
  ['a 422', { kind: 'status', status: 422, body: 'no' }, 'bad_answer'],
  ['a 429 in HTML', { kind: 'status', status: 429, body: '<html>' }, 'quota'],
];

const TEXTS = [undefined, '"8.4"', 'null', 'true', '{}', '[]', '1e999', '-999'];

/** The body with the JSON text in place of one value; without the value if the text is undefined. */
function replaced(body: unknown, path: (string | number)[], text: string | undefined): string {
  const copy = structuredClone(body);
  const holder = path
    .slice(0, -1)
    .reduce<unknown>((value, key) => Reflect.get(value as object, key), copy);
  Reflect.set(holder as object, path.at(-1)!, text && '@@');
  return JSON.stringify(copy).replace('"@@"', text ?? '');
}

/** What every provider that asks an upstream does. */
export function weatherProviderContract(underTest: ProviderUnderTest): void {
  const { name, path, create, values, saysIsDay = () => true } = underTest;
  describe(`weather provider: ${name}`, { timeout: 120_000 }, () => {
    const fixture = useStandIn();
    let standIn: StandIn;
    let provider: WeatherProvider;
    beforeEach(() => {
      ({ standIn } = fixture);
      provider = create(fixture.client, standIn.url);
    });

    const ask = (point: Point = HERE, signal = new AbortController().signal) =>
      provider.current!(point, signal);
    const assertFails = (kind: UpstreamError['kind'], what?: string) =>
      assert.rejects(ask(), (error) => {
        assert.ok(error instanceof UpstreamError, String(error));
        assert.deepEqual([error.upstream, error.kind], [name, kind], what);
        assert.ok(!`${error.message}${String(error.stack)}`.includes(SECRET_KEY));
        return true;
      });
    /** A regular answer, to be damaged. */
    const regular = async (): Promise<unknown> => {
      await ask();
      const headers = { 'user-agent': USER_AGENT, connection: 'close' };
      const response = await fetch(standIn.url + standIn.calls.at(-1)!.url, { headers });
      return response.json();
    };

    it('gives the weather of each point in the units of the contract', async () => {
      const responses = await Promise.all(POINTS.map((point) => ask(point)));
      const got = responses.map(({ value }) => value);
      const expected = POINTS.map(({ latitude, longitude }) => {
        const weather = standInWeather(Number(latitude.toFixed(4)), Number(longitude.toFixed(4)));
        return {
          temperature: weather.temperature,
          condition: weather.sky.text,
          humidity: weather.humidity,
          wind_speed: weather.windKmh,
          ...(saysIsDay(weather) ? { is_day: weather.isDay } : {}),
        };
      });
      assert.deepEqual(got, expected);
    });

    it('has its configured name, conditions with a WMO code, and a credit with a link', async () => {
      assert.equal(provider.name, name);
      assert.equal(typeof codeOf((await ask()).value.condition), 'number');
      assert.match(attributionOf(name) ?? '', /^[\x20-\x7e]+ <https:\/\/[^ >]+>/);
    });

    it('asks with at most four decimals, no exponent and its User-Agent', async () => {
      await Promise.all(POINTS.map((point) => ask(point)));
      const calls = standIn.calls.filter((call) => call.path === path);
      assert.deepEqual(calls.map((call) => call.key).sort(), [
        '-33.8678,151.2073',
        '0,0',
        '0,0',
        '51.5085,-0.1257',
        '51.5085,-0.1262',
        '90,-180',
      ]);
      for (const call of standIn.calls) assert.equal(call.headers['user-agent'], USER_AGENT);
    });

    for (const [what, behaviour, kind] of FAILING) {
      it(`fails at ${what}`, async () => {
        standIn.behave(path, behaviour);
        await assertFails(kind);
        assert.equal(standIn.count(path), 1);
      });
    }

    for (const value of values) {
      it(`fails without a sound ${value.join('.')}, and fills nothing in`, async () => {
        const body = await regular();
        for (const text of TEXTS) {
          // A provider may send any number as the code. An unknown code has no text.
          if (text === '-999' && /code|id/.test(String(value.at(-1)))) continue;
          const damaged = replaced(body, value, text);
          standIn.behave(path, { kind: 'status', status: 200, body: damaged });
          await assertFails('bad_answer', text);
        }
      });
    }

    it('ends with the reason of a caller who gives up', async () => {
      standIn.behave(path, { kind: 'hang' });
      const controller = new AbortController();
      const reason = new Error('gone');
      const call = ask(HERE, controller.signal);
      call.catch(() => undefined);
      await eventually(() => standIn.count(path) === 1, 'the call');
      controller.abort(reason);
      await assert.rejects(call, (error) => error === reason);
    });
  });
}
