import assert from 'node:assert/strict';
import { beforeEach, it } from 'node:test';
import type { UpstreamError } from '../../../src/base/errors.js';
import { attributionOf, type ServiceName } from '../../../src/config/providers.js';
import { createFirstOf } from '../../../src/upstream/first-of.js';
import type { WeatherProvider } from '../../../src/upstream/weather-provider.js';
import { conditionOf } from '../../../src/weather/conditions.js';
import type { CurrentWeather } from '../../../src/weather/current-weather.js';
import { feelsLike } from '../../../src/weather/feels-like.js';
import { plausible } from '../../../src/weather/quantities.js';
import type { Point } from '../../../src/weather/types.js';
import { assertWithin } from '../../support/assert-within.js';
import { policyOptionsOf } from '../../support/call-policies.js';
import { eventually } from '../../support/eventually.js';
import { systemClock } from '../../support/manual-clock.js';
import { createRandom } from '../../support/random.js';
import { without } from '../../support/without.js';
import { SEED } from '../../support/seed.js';
import { withWords } from '../../support/steps.js';
import {
  isNordic,
  oneDecimal,
  PATHS,
  stubWeather,
  type Behavior,
  type Damage,
  type StubWeather,
} from '../../support/stub-provider.js';
import { USER_AGENT } from '../../support/use-stub-provider.js';
import {
  HERE,
  IMPLAUSIBLE,
  isCode,
  NO_OPTIONAL,
  POINTS,
  sentFor,
  testAbility,
  WRONG_TYPE,
  WRONG_TYPES,
  type Optional,
  type Path,
} from '../ability.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const HERE_KEY = sentFor(HERE).join();

interface CurrentUnderTest {
  /** The path of the stub provider that it calls. */
  path: string;
  /** Milliseconds by which the data can be too old or too early. A series of forecasts is good for days. */
  agesMs?: number[];
  /** The conditions in which it differs from the other providers. */
  conditions?: (weather: StubWeather) => Partial<CurrentWeather>;
  /** The path that it calls if the first one has no data. */
  fallback?: string;
  /** The paths of the four values in its response. */
  values: Path[];
  /** The paths of the other conditions in its response. */
  optional: Optional[];
}

/** The series of MET Norway begins an hour ago: the second step is the one for now. */
const NOW = ['properties', 'timeseries', 1, 'data'];

/** What the rule of `feelsLike` makes of the values of a stub provider. */
const computed = (temperature: number, humidity: number, windMs: number) =>
  plausible('feels_like', feelsLike(temperature, humidity, windMs * 3.6));

const CASES: Record<ServiceName, CurrentUnderTest> = {
  'open-meteo': {
    path: PATHS.openMeteo,
    values: [
      ['current', 'temperature_2m'],
      ['current', 'relative_humidity_2m'],
      ['current', 'weather_code'],
      ['current', 'wind_speed_10m'],
    ],
    optional: [
      ['feels_like', ['current', 'apparent_temperature']],
      ['pressure', ['current', 'pressure_msl']],
      ['precipitation', ['current', 'precipitation']],
      ['precipitation', ['current', 'interval']],
      ['cloud_cover', ['current', 'cloud_cover']],
      ['wind_direction', ['current', 'wind_direction_10m']],
      ['wind_gusts', ['current', 'wind_gusts_10m']],
    ],
  },
  openweathermap: {
    path: PATHS.openWeatherMap,
    values: [
      ['main', 'temp'],
      ['main', 'humidity'],
      ['weather', 0, 'id'],
      ['wind', 'speed'],
    ],
    optional: [
      ['feels_like', ['main', 'feels_like']],
      ['pressure', ['main', 'pressure']],
      ['cloud_cover', ['clouds', 'all']],
      ['wind_direction', ['wind', 'deg']],
      ['wind_gusts', ['wind', 'gust']],
      ['visibility', ['visibility']],
    ],
    conditions: ({ visibility }) => ({ visibility }),
  },
  'met-norway': {
    path: PATHS.metNorway,
    agesMs: [20 * DAY_MS, -4 * HOUR_MS],
    values: [
      [...NOW, 'instant', 'details', 'air_temperature'],
      [...NOW, 'instant', 'details', 'relative_humidity'],
      [...NOW, 'instant', 'details', 'wind_speed'],
    ],
    optional: [
      ['dew_point', [...NOW, 'instant', 'details', 'dew_point_temperature']],
      ['pressure', [...NOW, 'instant', 'details', 'air_pressure_at_sea_level']],
      ['cloud_cover', [...NOW, 'instant', 'details', 'cloud_area_fraction']],
      ['precipitation', [...NOW, 'next_1_hours', 'details', 'precipitation_amount']],
      ['wind_direction', [...NOW, 'instant', 'details', 'wind_from_direction']],
    ],
    conditions: (weather) => ({
      feels_like: computed(weather.temperature, weather.humidity + 0.3, weather.windMs),
      ...(isNordic(weather) ? {} : { wind_gusts: null }),
    }),
  },
  'weather-gov': {
    path: PATHS.weatherGov,
    fallback: PATHS.weatherGovHourly,
    values: [
      ['properties', 'temperature', 'value'],
      ['properties', 'relativeHumidity', 'value'],
      ['properties', 'windSpeed', 'value'],
    ],
    optional: [
      ['dew_point', ['properties', 'dewpoint', 'value']],
      ['pressure', ['properties', 'seaLevelPressure', 'value']],
      ['wind_direction', ['properties', 'windDirection', 'value']],
      ['wind_gusts', ['properties', 'windGust', 'value']],
      ['visibility', ['properties', 'visibility', 'value']],
    ],
    conditions: ({ temperature, feelsLike, rain, visibility }) => ({
      feels_like: temperature < 10 || temperature > 21 ? feelsLike : temperature,
      cloud_cover: null,
      precipitation: rain === 0 ? null : rain,
      visibility,
    }),
  },
};

/** One failure of each kind. The other failures are tested with the client, in `test/upstream/`. */
const FAILING: [string, Behavior, UpstreamError['kind']][] = [
  ['a 500', { kind: 'status', status: 500, body: '<html>' }, 'unavailable'],
  ['a 405', { kind: 'status', status: 405, body: 'no' }, 'bad_answer'],
  ['a 429 in HTML', { kind: 'status', status: 429, body: '<html>' }, 'quota'],
];

/** What can be wrong with the current weather at a point. */
const BAD_WEATHER: [what: string, current: NonNullable<Damage['current']>][] = [
  ['has no temperature', { temperature: null }],
  ['does not send a temperature', { temperature: undefined }],
  ['has a temperature of 99 °C', { temperature: 99 }],
  ['has no humidity', { humidity: null }],
  ['has a humidity of 140 %', { humidity: 140 }],
  ['has a humidity of -20 %', { humidity: -20 }],
  ['has no wind speed', { wind: null }],
  ['has a wind speed of -3 m/s', { wind: -3 }],
  ['has a wind speed of 400 m/s', { wind: 400 }],
  ['has no condition', { sky: null }],
];

testAbility('current', CASES, (fixture, underTest) => {
  const { path, values, optional, conditions = () => ({}) } = underTest;
  const { agesMs = [4 * HOUR_MS, 4 * DAY_MS, -4 * HOUR_MS] } = underTest;

  beforeEach(() => {
    const { fallback } = underTest;
    if (fallback) fixture.stub.behave(fallback, { kind: 'status', status: 404 });
  });

  const ask = (point: Point = HERE, signal = new AbortController().signal) =>
    fixture.provider.current!(point, signal);

  it('supplies the current weather of each point in the units of the contract', async () => {
    const responses = await Promise.all(POINTS.map((point) => ask(point)));
    const got = responses.map(({ value }) => value);
    const expected = POINTS.map((point) => {
      const weather = stubWeather(...sentFor(point));
      return {
        temperature: weather.temperature,
        condition: fixture.conditionOf(weather.sky.text),
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
      got.map((weather) => without({ ...withWords(weather) }, 'time')),
      expected,
    );
    for (const { time } of got) assertWithin(time, Date.now() - HOUR_MS, Date.now());
  });

  it('has its configured name, conditions with a WMO code, and an attribution with a link', async () => {
    assert.equal(fixture.provider.name, fixture.name);
    assert.notEqual(conditionOf((await ask()).value.weather_code), 'Unknown');
    assert.match(attributionOf(fixture.name) ?? '', /^[\x20-\x7e]+ <https:\/\/[^ >]+>/);
  });

  it('is called with at most four decimals, no exponent, and the User-Agent', async () => {
    await Promise.all(POINTS.map((point) => ask(point)));
    const calls = fixture.stub.calls.filter((call) => call.path === path);
    assert.deepEqual(calls.map((call) => call.key).sort(), [
      '-33.8678,151.2073',
      '0,0',
      '0,0',
      '51.5085,-0.1257',
      '51.5085,-0.1262',
      '59.9127,10.7461',
      '90,-180',
    ]);
    for (const call of fixture.stub.calls) assert.equal(call.headers['user-agent'], USER_AGENT);
  });

  for (const [what, behaviour, kind] of FAILING) {
    it(`fails after ${what}`, async () => {
      fixture.stub.behave(path, behaviour);
      await fixture.fails(ask, kind);
      assert.equal(fixture.stub.count(path), 1);
    });
  }

  for (const value of values) {
    it(`has no data without ${value.join('.')}, and fails with one of another type`, async () => {
      const body = await fixture.regular(ask);
      const respond = (text: string | undefined) => {
        fixture.respondWith(path, body, value, text);
      };
      for (const text of WRONG_TYPES) {
        respond(text);
        await fixture.fails(ask, 'bad_answer', text);
      }
      for (const text of isCode(value) ? [undefined, 'null'] : [undefined, ...IMPLAUSIBLE]) {
        respond(text);
        await fixture.fails(ask, 'no_data', text);
      }
    });
  }

  for (const [member, value] of optional) {
    it(`has null for ${member} without ${value.join('.')}, and fails with one of another type`, async () => {
      const body = await fixture.regular(ask);
      fixture.respondWith(path, body, value, WRONG_TYPE);
      await fixture.fails(ask, 'bad_answer');
      fixture.stub.behave(path, { kind: 'status', status: 200, body: JSON.stringify(body) });
      const { value: all } = await ask();
      assert.equal(typeof all[member as keyof CurrentWeather], 'number');
      for (const text of [undefined, ...NO_OPTIONAL]) {
        fixture.respondWith(path, body, value, text);
        assert.deepEqual((await ask()).value, { ...all, [member]: null }, text);
      }
    });
  }

  it('rejects with the reason of the signal', async () => {
    fixture.stub.behave(path, { kind: 'hang' });
    const controller = new AbortController();
    const reason = new Error('gone');
    const call = ask(HERE, controller.signal);
    call.catch(() => undefined);
    await eventually(() => fixture.stub.count(path) === 1, 'the call');
    controller.abort(reason);
    await assert.rejects(call, (error) => error === reason);
  });

  for (const ageMs of agesMs) {
    it(`is no current weather if it is ${ageMs / HOUR_MS} hours old`, async () => {
      fixture.stub.damage(HERE_KEY, { ageMs });
      await fixture.fails(ask, 'no_data');
    });
  }

  for (const [what, current] of BAD_WEATHER) {
    it(`is no current weather if it ${what}`, async () => {
      fixture.stub.damage(HERE_KEY, { current });
      await fixture.fails(ask, 'no_data');
    });
  }

  it('has a humidity of 0 or 100 % if the instrument reports a little more or less', async () => {
    const humidities = [];
    for (const humidity of [104, 100, 0, -1]) {
      fixture.stub.damage(HERE_KEY, { current: { humidity } });
      humidities.push((await ask()).value.humidity);
    }
    assert.deepEqual(humidities, [100, 100, 0, 0]);
  });

  it('is supplied for every healthy point of a random mix, by a circuit breaker that stays closed', async () => {
    const random = createRandom(SEED);
    const degree = (low: number, high: number) => random.between(low * 100, high * 100) / 100;
    const points = Array.from({ length: 60 }, () => ({
      latitude: degree(30, 45),
      longitude: degree(-120, -80),
    }));
    const bad = points.filter((_, index) => index === 7 || random.chance(0.3));
    for (const { latitude, longitude } of bad) {
      const [, current] = random.pick(BAD_WEATHER);
      fixture.stub.damage(`${latitude},${longitude}`, { current });
    }
    const supplied = await ask();
    const next: WeatherProvider = { name: 'next', current: () => Promise.resolve(supplied) };
    const { options, records, breakerOf } = policyOptionsOf(systemClock);
    const firstOf = createFirstOf([fixture.provider, next], options);
    const answered = [];
    for (const point of points) {
      answered.push(
        (await firstOf(({ current }) => current, point, { signal: new AbortController().signal }))
          .provider,
      );
    }
    assert.deepEqual(
      answered,
      points.map((point) => (bad.includes(point) ? 'next' : fixture.name)),
    );
    assert.equal(breakerOf(fixture.name).state, 'closed');
    assert.deepEqual(
      records.map(({ event, kind }) => [event, kind]),
      bad.map(() => ['upstream_failed', 'no_data']),
    );
  });

  it('names the present that it is for', async () => {
    const before = Date.now();
    const { presentAt = 0 } = await ask();
    // The header Date has whole seconds.
    assertWithin(presentAt, before - 1000, Date.now());
  });
});
