import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { UpstreamError } from '../../src/base/errors.js';
import { attributionOf } from '../../src/config/providers.js';
import type { UpstreamClient } from '../../src/upstream/upstream-client.js';
import { codeOf } from '../../src/weather/conditions.js';
import type { WeatherProvider } from '../../src/upstream/weather-provider.js';
import type { Point, Weather } from '../../src/weather/types.js';
import { nextHours, type HourlyWeather } from '../../src/weather/hourly-forecast.js';
import { assertWithin } from '../support/assert-within.js';
import { without } from '../support/conformance.js';
import { eventually } from '../support/eventually.js';
import {
  kmhOfMph,
  oneDecimal,
  stubForecast,
  stubHour,
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
  /** The conditions in which it differs from the other providers. */
  conditions?: (weather: StubWeather) => Partial<Weather>;
  /** The paths of the four values in its response. */
  values: Path[];
  /** The paths of the other conditions in its response. */
  optional: Optional[];
  /** Absent if the provider has no daily forecast. */
  daily?: DailyUnderTest;
  /** Absent if the provider has no hourly forecast. */
  hourly?: HourlyUnderTest;
}

/** The path of a value in a response, as keys and indexes. */
type Path = (string | number)[];
/** A member that is null without the value. */
type Optional = [member: string, path: Path];

export interface DailyUnderTest {
  /** The path of the stub provider that a forecast calls. */
  path: string;
  /** How many days after today there are at least. */
  minDays: number;
  /** Whether it has the extremes of all hours of today. */
  hasWholeToday: boolean;
  /** The paths of numbers of a day in its response. */
  values: Path[];
  /** The members that it does not have at a point on a date. */
  lacks: (point: Point, date: string) => string[];
  /** The paths of numbers without which the member of one day is null. */
  optional: Optional[];
}

export interface HourlyUnderTest {
  /** The path of the stub provider that a forecast calls. */
  path: string;
  /** The members that it does not have at a point. */
  lacks: (point: Point) => string[];
  /** How warm it feels in an hour, if it does not have that from the stub provider. */
  feelsLike?: (hour: HourlyWeather) => number | null;
  /** The paths of numbers without which an hour is left out. */
  values: Path[];
  /** The paths of numbers without which the member of one hour is null. */
  optional: Optional[];
}

export const SECRET_KEY = 'top-secret-key';

const POINTS: Point[] = [
  { latitude: 51.5085, longitude: -0.1257 },
  { latitude: 51.50853, longitude: -0.1262 },
  { latitude: 59.9127, longitude: 10.7461 },
  { latitude: -33.8678, longitude: 151.2073 },
  { latitude: 0, longitude: 0 },
  { latitude: -0.00001, longitude: 1e-7 },
  { latitude: 90, longitude: -180 },
];
const HERE = POINTS[0]!;
const HOUR_MS = 3_600_000;

/** The hour to which the values of `HourlyUnderTest` belong: the number of hours after the present one. */
export const HOUR_OF_VALUES = 3;

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
/** The same for a value that a response does not need: the schema of all numbers is one. */
const WRONG_TYPE = '"8.4"';
const NO_OPTIONAL = ['null', '1e999', '-999'];
/** Every number can be a code. An unknown code is the condition `Unknown`. */
const isCode = (path: Path) => path.some((key) => key === 'weather_code' || key === 'id');

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
  const { name, path, create, values, optional, conditions = () => ({}) } = underTest;
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
    const askHourly = async (point: Point = HERE) => {
      const { value } = await provider.hourly!(point, new AbortController().signal);
      return nextHours(value, 0, 48);
    };
    /** Responds with a body in which the JSON text replaces a value. */
    const respondWith = (to: string, body: unknown, value: Path, text: string | undefined) => {
      stub.behave(to, { kind: 'status', status: 200, body: replaced(body, value, text) });
    };
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
          feels_like: weather.feelsLike,
          dew_point: weather.dewPoint,
          pressure: weather.pressure,
          cloud_cover: weather.clouds,
          precipitation: weather.rain,
          wind_direction: Math.round(weather.direction),
          wind_gusts: oneDecimal(weather.gustMs * 3.6),
          visibility: null,
          uv_index: null,
          ...conditions(weather),
        };
      });
      assert.deepEqual(
        got.map((weather) => without({ ...weather }, 'time')),
        expected,
      );
      for (const { time = 0 } of got) assertWithin(time, Date.now() - HOUR_MS, Date.now());
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
        '59.9127,10.7461',
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
          respondWith(path, body, value, text);
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

    for (const [member, value] of optional) {
      it(`has null for ${member} without ${value.join('.')}, and fails with one of another type`, async () => {
        const body = await regular();
        respondWith(path, body, value, WRONG_TYPE);
        await assertFails('bad_answer');
        stub.behave(path, { kind: 'status', status: 200, body: JSON.stringify(body) });
        const { value: all } = await ask();
        assert.equal(typeof all[member as keyof Weather], 'number');
        for (const text of [undefined, ...NO_OPTIONAL]) {
          respondWith(path, body, value, text);
          assert.deepEqual((await ask()).value, { ...all, [member]: null }, text);
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
      const tested = ['current', ...(['daily', 'hourly'] as const).filter((key) => underTest[key])];
      const abilities = Object.keys(provider).filter((key) => key !== 'name' && key !== 'covers');
      assert.deepEqual(abilities.sort(), tested.sort());
    });

    if (underTest.daily) testDaily(underTest.daily);
    if (underTest.hourly) testHourly(underTest.hourly);

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
            expected.days.slice(start, start + compared.length).map((day) => ({
              ...day,
              ...Object.fromEntries(daily.lacks(point, day.date).map((member) => [member, null])),
            })),
          );
        }
      });

      for (const value of daily.values) {
        it(`fails if ${value.join('.')} has another type, and supplies other days without it`, async () => {
          const body = await regular(askDaily);
          const respond = (text: string | undefined) => {
            respondWith(daily.path, body, value, text);
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

      for (const [member, value] of daily.optional) {
        it(`has a day with null for ${member} without ${value.join('.')}`, async () => {
          const body = await regular(askDaily);
          const nulls = async () => {
            const { days } = (await askDaily()).value;
            return days.filter((day) => day[member as keyof typeof day] === null).length;
          };
          const count = await nulls();
          respondWith(daily.path, body, value, WRONG_TYPE);
          await assertFails('bad_answer', undefined, askDaily);
          for (const text of NO_OPTIONAL) {
            respondWith(daily.path, body, value, text);
            assert.equal(await nulls(), count + 1, text);
          }
        });
      }
    }

    function testHourly(hourly: HourlyUnderTest): void {
      it('supplies the hours of each point with the same meaning as the other providers', async () => {
        for (const point of POINTS) {
          const here = stubWeather(
            Number(point.latitude.toFixed(4)),
            Number(point.longitude.toFixed(4)),
          );
          const lacks = hourly.lacks(point);
          // The present hour has the current weather.
          const [first, ...hours] = await askHourly(point);
          assert.equal(first?.time, Math.floor(Date.now() / HOUR_MS) * HOUR_MS);
          assert.ok(hours.length >= 47 && hours.length <= 48);
          const expected = hours.map((hour, index) => {
            const at = first.time + (index + 1) * HOUR_MS;
            const truth = stubHour(here, at);
            const complete = {
              time: at,
              temperature: truth.temperature,
              condition: truth.sky.text,
              feels_like: hourly.feelsLike ? hourly.feelsLike(hour) : truth.feelsLike,
              humidity: truth.humidity,
              cloud_cover: truth.clouds,
              precipitation: truth.rain,
              precipitation_probability: truth.probability,
              wind_speed: kmhOfMph(truth.windMph),
              wind_direction: Math.round(truth.direction),
              wind_gusts: oneDecimal(truth.gustMs * 3.6),
            };
            return { ...complete, ...Object.fromEntries(lacks.map((member) => [member, null])) };
          });
          assert.deepEqual(hours, expected);
        }
      });

      for (const value of hourly.values) {
        it(`leaves out an hour without ${value.join('.')}`, async () => {
          const all = await askHourly();
          const body = await regular(askHourly);
          for (const text of WRONG_TYPES) {
            respondWith(hourly.path, body, value, text);
            await assertFails('bad_answer', text, askHourly);
          }
          for (const text of isCode(value) ? ['null'] : ['null', '1e999', '-999', '1e300']) {
            respondWith(hourly.path, body, value, text);
            const left = all.filter((_, index) => index !== HOUR_OF_VALUES);
            assert.deepEqual((await askHourly()).slice(0, left.length), left, text);
          }
        });
      }

      for (const [member, value] of hourly.optional) {
        it(`has an hour with null for ${member} without ${value.join('.')}`, async () => {
          const body = await regular(askHourly);
          respondWith(hourly.path, body, value, WRONG_TYPE);
          await assertFails('bad_answer', undefined, askHourly);
          stub.behave(hourly.path);
          const all = await askHourly();
          for (const text of NO_OPTIONAL) {
            respondWith(hourly.path, body, value, text);
            const hours = await askHourly();
            const isNull = hours.map((hour) => hour[member as keyof HourlyWeather] === null);
            assert.deepEqual(
              isNull.map((each, index) => (each ? index : -1)).filter((index) => index >= 0),
              [HOUR_OF_VALUES],
              text,
            );
            assert.equal(hours.length, all.length);
          }
        });
      }
    }
  });
}
