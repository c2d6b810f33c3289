import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { UpstreamError } from '../../src/errors.js';
import { attributionOf } from '../../src/config/providers.js';
import type { UpstreamClient } from '../../src/upstream/upstream-client.js';
import { codeOf } from '../../src/weather/conditions.js';
import type { WeatherProvider } from '../../src/upstream/weather-provider.js';
import type { Point } from '../../src/weather/types.js';
import { without } from '../support/conformance.js';
import { eventually } from '../support/eventually.js';
import {
  stubForecast,
  stubWeather,
  type Behavior,
  type StubProvider,
  type StubWeather,
} from '../support/stub-provider.js';
import { USER_AGENT, useStubProvider } from '../support/use-stub-provider.js';

export interface ProviderUnderTest {
  name: string;
  /** The path of the stub provider that it calls for current weather. */
  path: string;
  create: (client: UpstreamClient, baseUrl: string) => WeatherProvider;
  /** Milliseconds by which the data can be too old or too early. A series of forecasts is good for days. */
  agesMs?: number[];
  /** Whether it reports whether the sun is up; by default it always does. */
  saysIsDay?: (weather: StubWeather) => boolean;
  /** The paths of the four values in its response, as keys and indexes. */
  values: (string | number)[][];
  /** Absent if the provider has no daily forecast. */
  daily?: DailyUnderTest;
}

export interface DailyUnderTest {
  /** The path of the stub provider that a forecast calls. */
  path: string;
  /** How many days after today there are at least. */
  minDays: number;
  /** Whether it has the extremes of all hours of today. */
  hasWholeToday: boolean;
  /** The paths of numbers of a day in its response. */
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

/** One failure of each kind. The other failures are tested with the client, in `test/upstream/`. */
const FAILING: [string, Behavior, UpstreamError['kind']][] = [
  ['a 500', { kind: 'status', status: 500, body: '<html>' }, 'unavailable'],
  ['a 405', { kind: 'status', status: 405, body: 'no' }, 'bad_answer'],
  ['a 429 in HTML', { kind: 'status', status: 429, body: '<html>' }, 'quota'],
];

/** JSON texts of a wrong type in place of a number. */
const WRONG_TYPES = ['"8.4"', 'true', '{}', '[]'];
/** JSON texts without a plausible number; undefined for a missing member. */
const NO_DATA = [undefined, 'null', '1e999', '-999', '1e300'];
/** Every number can be a code. An unknown code is the condition `Unknown`. */
const isCode = (path: (string | number)[]) => /code|id/.test(String(path.at(-1)));

/** The body with the JSON text in place of one value; without the value if the text is undefined. */
function replaced(body: unknown, path: (string | number)[], text: string | undefined): string {
  const copy = structuredClone(body);
  const holder = path
    .slice(0, -1)
    .reduce<unknown>((value, key) => Reflect.get(value as object, key), copy);
  Reflect.set(holder as object, path.at(-1)!, text && '@@');
  return JSON.stringify(copy).replace('"@@"', text ?? '');
}

/** What every provider that calls a service must do. */
export function weatherProviderContract(underTest: ProviderUnderTest): void {
  const { name, path, create, values, saysIsDay = () => true } = underTest;
  describe(`weather provider: ${name}`, { timeout: 120_000 }, () => {
    const fixture = useStubProvider();
    let stub: StubProvider;
    let provider: WeatherProvider;
    beforeEach(() => {
      ({ stub } = fixture);
      provider = create(fixture.client, stub.url);
    });

    const ask = (point: Point = HERE, signal = new AbortController().signal) =>
      provider.current!(point, signal);
    const askDaily = (point: Point = HERE) => provider.daily!(point, new AbortController().signal);
    const assertFails = (
      kind: UpstreamError['kind'],
      what?: string,
      call: () => Promise<unknown> = ask,
    ) =>
      assert.rejects(call(), (error) => {
        assert.ok(error instanceof UpstreamError, String(error));
        assert.deepEqual([error.upstream, error.kind], [name, kind], what);
        assert.ok(!`${error.message}${String(error.stack)}`.includes(SECRET_KEY));
        return true;
      });
    /** The body of a regular response. */
    const regular = async (call: () => Promise<unknown> = ask): Promise<unknown> => {
      await call();
      const headers = { 'user-agent': USER_AGENT, connection: 'close' };
      const response = await fetch(stub.url + stub.calls.at(-1)!.url, { headers });
      return response.json();
    };

    it('supplies the current weather of each point in the units of the contract', async () => {
      const responses = await Promise.all(POINTS.map((point) => ask(point)));
      const got = responses.map(({ value }) => value);
      const expected = POINTS.map(({ latitude, longitude }) => {
        const weather = stubWeather(Number(latitude.toFixed(4)), Number(longitude.toFixed(4)));
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

    it('has its configured name, conditions with a WMO code, and an attribution with a link', async () => {
      assert.equal(provider.name, name);
      assert.equal(typeof codeOf((await ask()).value.condition), 'number');
      assert.match(attributionOf(name) ?? '', /^[\x20-\x7e]+ <https:\/\/[^ >]+>/);
    });

    it('is called with at most four decimals, no exponent, and the User-Agent', async () => {
      await Promise.all(POINTS.map((point) => ask(point)));
      const calls = stub.calls.filter((call) => call.path === path);
      assert.deepEqual(calls.map((call) => call.key).sort(), [
        '-33.8678,151.2073',
        '0,0',
        '0,0',
        '51.5085,-0.1257',
        '51.5085,-0.1262',
        '90,-180',
      ]);
      for (const call of stub.calls) assert.equal(call.headers['user-agent'], USER_AGENT);
    });

    for (const [what, behaviour, kind] of FAILING) {
      it(`fails after ${what}`, async () => {
        stub.behave(path, behaviour);
        await assertFails(kind);
        assert.equal(stub.count(path), 1);
      });
    }

    for (const value of values) {
      it(`has no data without ${value.join('.')}, and fails with one of another type`, async () => {
        const body = await regular();
        const respond = (text: string | undefined) => {
          const damaged = replaced(body, value, text);
          stub.behave(path, { kind: 'status', status: 200, body: damaged });
        };
        for (const text of WRONG_TYPES) {
          respond(text);
          await assertFails('bad_answer', text);
        }
        for (const text of isCode(value) ? [undefined, 'null'] : NO_DATA) {
          respond(text);
          await assertFails('no_data', text);
        }
      });
    }

    it('rejects with the reason of the signal', async () => {
      stub.behave(path, { kind: 'hang' });
      const controller = new AbortController();
      const reason = new Error('gone');
      const call = ask(HERE, controller.signal);
      call.catch(() => undefined);
      await eventually(() => stub.count(path) === 1, 'the call');
      controller.abort(reason);
      await assert.rejects(call, (error) => error === reason);
    });

    it('has no ability that is not tested here', () => {
      const tested = ['current', ...(underTest.daily ? ['daily'] : [])];
      const abilities = Object.keys(provider).filter((key) => key !== 'name' && key !== 'covers');
      assert.deepEqual(abilities.sort(), tested.sort());
    });

    if (underTest.daily) testDaily(underTest.daily);

    function testDaily(daily: DailyUnderTest): void {
      it('supplies the days of each point in the units of the contract', async () => {
        for (const point of POINTS) {
          const [latitude = 0, longitude = 0] = [point.latitude, point.longitude].map(
            (value) => Number(value.toFixed(4)) + 0,
          );
          const expected = stubForecast(latitude, longitude, 8);
          const { timezone, days } = (await askDaily(point)).value;
          assert.equal(timezone, expected.timezone);
          assert.ok(days.length <= 7);
          const start = daily.hasWholeToday ? 0 : 1;
          const compared = days.filter(({ date }) => date >= expected.days[start]!.date);
          assert.ok(compared.length >= daily.minDays, `${compared.length} days`);
          assert.deepEqual(
            compared.map((day) => without({ ...day }, 'sunrise', 'sunset')),
            expected.days.slice(start, start + compared.length),
          );
        }
      });

      for (const value of daily.values) {
        it(`fails if ${value.join('.')} has another type, and supplies other days without it`, async () => {
          const body = await regular(askDaily);
          const respond = (text: string | undefined) => {
            const damaged = replaced(body, value, text);
            stub.behave(daily.path, { kind: 'status', status: 200, body: damaged });
          };
          for (const text of WRONG_TYPES) {
            respond(text);
            await assertFails('bad_answer', text, askDaily);
          }
          for (const text of ['null', '1e999', '-999', '1e300']) {
            respond(text);
            const { days } = (await askDaily()).value;
            assert.ok(days.length >= daily.minDays - 1, `${days.length} days with ${text}`);
          }
        });
      }
    }
  });
}
