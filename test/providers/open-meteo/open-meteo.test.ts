import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { UpstreamError } from '../../../src/weather/errors.js';
import { createGeocoder, likelyLanguages } from '../../../src/providers/open-meteo/geocoder.js';
import { createCallPolicy } from '../../../src/upstream/policy.js';
import { AIR_QUANTITIES } from '../../../src/weather/kinds/air-quality.js';
import { POLLEN_QUANTITIES } from '../../../src/weather/kinds/pollen.js';
import { testAbilities } from '../../contracts/abilities.js';
import { policyOptionsOf } from '../../support/call-policies.js';
import { manualClock } from '../../support/manual-clock.js';
import { providerAt, SECRET_KEY, configAt } from '../../support/providers.js';
import { stepsIn } from '../../support/steps.js';
import { openMeteoCost, PATHS, stubWeather } from '../../support/stub-provider.js';
import { useStubProvider } from '../../support/use-stub-provider.js';
import { zoned } from '../../support/zoned.js';

const SOMEWHERE = zoned({ latitude: 1, longitude: 2 });

/** The number of hours from the current hour to the hour that is tested without a value. */
const HOUR = 3;

testAbilities('open-meteo', {
  current: {
    path: PATHS.openMeteo,
    values: [
      ['current', 'temperature_2m'],
      ['current', 'relative_humidity_2m'],
      ['current', 'wind_speed_10m'],
    ],
    code: ['current', 'weather_code'],
    derived: ['dew_point'],
    optional: [
      ['feels_like', ['current', 'apparent_temperature']],
      ['pressure', ['current', 'pressure_msl']],
      ['precipitation', ['current', 'precipitation']],
      ['precipitation', ['current', 'interval']],
      ['cloud_cover', ['current', 'cloud_cover']],
      ['wind_direction', ['current', 'wind_direction_10m']],
      ['wind_gusts', ['current', 'wind_gusts_10m']],
      ['visibility', ['current', 'visibility']],
      ['uv_index', ['current', 'uv_index']],
    ],
    conditions: ({ visibility, uv }) => ({ visibility, uv_index: uv }),
  },
  air: {
    path: PATHS.openMeteoAir,
    values: [],
    usIndex: ({ clouds }) => clouds,
    optional: AIR_QUANTITIES.optional.map((name) => [name, ['current', name]]),
  },
  pollen: {
    path: PATHS.openMeteoAir,
    values: [],
    optional: POLLEN_QUANTITIES.optional.map((name) => [name, ['current', name]]),
  },
  daily: {
    path: PATHS.openMeteo,
    minDays: 15,
    hasWholeToday: true,
    values: [
      ['daily', 'temperature_2m_min', 2],
      ['daily', 'temperature_2m_max', 2],
    ],
    code: ['daily', 'weather_code', 2],
    derived: ['temperature_min'],
    optional: [
      ['precipitation_probability', ['daily', 'precipitation_probability_max', 2]],
      ['precipitation', ['daily', 'precipitation_sum', 2]],
      ['wind_speed_max', ['daily', 'wind_speed_10m_max', 2]],
      ['wind_gusts_max', ['daily', 'wind_gusts_10m_max', 2]],
      ['uv_index_max', ['daily', 'uv_index_max', 2]],
      ['snowfall', ['daily', 'snowfall_sum', 2]],
    ],
  },
  hourly: {
    path: PATHS.openMeteo,
    minHours: 192,
    values: [['hourly', 'temperature_2m', HOUR]],
    code: ['hourly', 'weather_code', HOUR + 1],
    optional: [
      ['feels_like', ['hourly', 'apparent_temperature', HOUR]],
      ['humidity', ['hourly', 'relative_humidity_2m', HOUR]],
      ['cloud_cover', ['hourly', 'cloud_cover', HOUR]],
      ['precipitation', ['hourly', 'precipitation', HOUR + 1]],
      ['precipitation_probability', ['hourly', 'precipitation_probability', HOUR + 1]],
      ['wind_speed', ['hourly', 'wind_speed_10m', HOUR]],
      ['wind_direction', ['hourly', 'wind_direction_10m', HOUR]],
      ['wind_gusts', ['hourly', 'wind_gusts_10m', HOUR + 1]],
    ],
  },
});

describe('Open-Meteo', () => {
  const fixture = useStubProvider();

  const ask = (env: Record<string, string> = {}) =>
    providerAt('open-meteo', fixture, { env }).current!(SOMEWHERE, new AbortController().signal);
  /** Responds with a 429 at a time of the service's clock, and returns the kind and the wait. */
  const refused = async (reason: string, time = '2026-11-21T10:40:30Z') => {
    const options = { status: 429, at: Date.parse(time) };
    fixture.stub.respond(PATHS.openMeteo, { reason, error: true }, options);
    const error: unknown = await ask().catch((caught: unknown) => caught);
    assert.ok(error instanceof UpstreamError);
    return [error.kind, error.retryAfterMs];
  };

  it('sends an API key only if one is set', async () => {
    await ask();
    assert.equal(fixture.stub.calls[0]?.query['apikey'], SECRET_KEY);
    await ask({ OPEN_METEO_API_KEY: '' });
    assert.ok(!('apikey' in fixture.stub.calls[1]!.query));
    assert.equal(fixture.stub.calls[0].headers['accept-encoding'], 'identity');
  });

  it('waits until the end of the window that a 429 names', async () => {
    const minute = 'Minutely API request limit exceeded. Please try again in one minute.';
    const hour = 'Hourly API request limit exceeded. Please try again in the next hour.';
    const day = 'Daily API request limit exceeded. Please try again tomorrow.';
    assert.deepEqual(await refused(minute), ['quota', 60_000]);
    assert.deepEqual(await refused(hour), ['quota', (19 * 60 + 30) * 1000]);
    assert.deepEqual(await refused(day), ['quota', ((13 * 60 + 19) * 60 + 30) * 1000]);
    assert.deepEqual(await refused('Too many concurrent requests'), ['quota', 3000]);
    assert.deepEqual(await refused('Something new'), ['quota', 60_000]);
  });

  it('waits a minute after a 429 that can be about the window before', async () => {
    for (const window of ['Hourly', 'Daily']) {
      const reason = `${window} API request limit exceeded.`;
      const waits = await refused(reason, '2026-11-21T00:01:29Z');
      assert.deepEqual(waits, ['quota', 60_000]);
    }
    const hourly = await refused('Hourly', '2026-11-21T00:01:30Z');
    assert.deepEqual(hourly, ['quota', 3_510_000]);
  });

  const NOW = Date.parse('2026-11-21T10:45Z');
  const MEASURED = {
    ...{
      time: '2026-11-21T10:45',
      temperature_2m: 8.44,
      relative_humidity_2m: 86.5,
      wind_speed_10m: 11.25,
    },
    weather_code: 17,
  };
  const respond = (values: object) => {
    fixture.stub.respond(PATHS.openMeteo, { current: { ...MEASURED, ...values } }, { at: NOW });
  };

  it('has the mean precipitation of the interval that it reports, in millimeters per hour', async () => {
    const rates = [];
    for (const interval of [900, 3600, 60, 10_800, 59, 10_801, 0, -900, null, undefined]) {
      respond({ precipitation: 0.1, interval });
      rates.push((await ask()).value.precipitation);
    }
    assert.deepEqual(rates, [0.4, 0.1, 6, 0.03, null, null, null, null, null, null]);
    respond({ precipitation: 0.1, interval: '900' });
    await assert.rejects(ask(), { kind: 'bad_answer' });
  });

  it('has a dew point only of a plausible humidity', async () => {
    const dewPoints = [];
    for (const relative_humidity_2m of [50, 100, 104, 0]) {
      respond({ temperature_2m: 20, relative_humidity_2m });
      dewPoints.push((await ask()).value.dew_point);
    }
    assert.deepEqual(dewPoints, [9.3, 20, 20, null]);
  });

  it('is one call of the quota for each ability if it has a budget, and else 1.2 calls with more conditions', async () => {
    const { signal } = new AbortController();
    for (const PROVIDER_BUDGETS of ['open-meteo=60/60', '']) {
      const env = { PROVIDER_BUDGETS };
      const provider = providerAt('open-meteo', fixture, { env });
      const { value } = await provider.current!(SOMEWHERE, signal);
      const { visibility, uv } = stubWeather(1, 2);
      const expected = PROVIDER_BUDGETS === '' ? [visibility, uv] : [null, null];
      assert.deepEqual([value.visibility, value.uv_index], expected);
      await provider.daily!(SOMEWHERE, signal);
      await provider.hourly!(SOMEWHERE, signal);
      await provider.air!(SOMEWHERE, signal);
      await provider.pollen!(SOMEWHERE, signal).catch(() => undefined);
    }
    const costs = fixture.stub.calls.map(({ query }) => openMeteoCost(query));
    assert.deepEqual(costs, [1, 1, 1, 1, 1, 1.2, 1, 1, 1, 1]);
  });

  it('reads its time in UTC', async () => {
    respond({ time: '2026-11-21T07:45' });
    assert.equal((await ask()).value.temperature, 8.4);
    for (const time of ['2026-11-21T07:44', '2026-11-21T11:46', 'now', null, undefined]) {
      respond({ time });
      await assert.rejects(ask(), { kind: 'no_data' }, time ?? 'none');
    }
    respond({ time: 1 });
    await assert.rejects(ask(), { kind: 'bad_answer' });
  });
});

const OSLO = zoned({ latitude: 59.91, longitude: 10.75 });

describe('the daily forecast of Open-Meteo', () => {
  const fixture = useStubProvider();

  const ask = () => providerAt('open-meteo', fixture).daily!(OSLO, new AbortController().signal);

  it('is requested without sunrise and sunset, and without compression', async () => {
    await ask();
    assert.equal(fixture.stub.calls[0]?.headers['accept-encoding'], 'identity');
    assert.ok(!/sunrise|sunset/.test(fixture.stub.calls[0].url));
  });

  it('is not read if its dates are not what they must be', async () => {
    const today = '2026-11-24';
    const values = { temperature_2m_min: [1], temperature_2m_max: [4], weather_code: [3] };
    for (const time of [[today, 'tomorrow'], Array.from({ length: 17 }, () => today), null]) {
      fixture.stub.respond(PATHS.openMeteo, { daily: { time, ...values } });
      await assert.rejects(ask(), { kind: 'bad_answer' }, JSON.stringify(time));
    }
  });
});

const HOUR_MS = 3_600_000;
const { signal } = new AbortController();

describe('the hourly forecast of Open-Meteo', () => {
  const fixture = useStubProvider();

  const hoursAt = async (latitude: number, longitude: number) => {
    const provider = providerAt('open-meteo', fixture);
    const { value } = await provider.hourly!(zoned({ latitude, longitude }), signal);
    return value;
  };
  /** Responds at a time with hours from the current one on. */
  const respond = (now: string, hourly: Record<string, unknown>) => {
    const first = Math.floor(Date.parse(now) / HOUR_MS) * 3600;
    const numbers = Array.from({ length: 193 }, (_, index) => index);
    const complete = {
      time: numbers.map((index) => first + index * 3600),
      temperature_2m: numbers.map((index) => index % 50),
      weather_code: numbers.map(() => 3),
      ...hourly,
    };
    const value = { timezone: 'GMT', hourly: complete };
    fixture.stub.respond(PATHS.openMeteo, value, { at: Date.parse(now) });
  };

  it('has precipitation, probability, gusts, and condition of the hour that begins at its time', async () => {
    const now = '2026-11-25T13:20:00Z';
    respond(now, {
      precipitation: [0, 9, 1.5, 0, 0],
      precipitation_probability: [0, 1, 90, 2, null],
      wind_gusts_10m: [1, 2, 80, 13, 4],
      weather_code: [0, 1, 63, 3, 45],
      wind_speed_10m: [10, 11, 12, 13, 14],
      time: [13, 14, 15, 16, 18].map((hour) => Date.parse(`2026-11-25T${hour}:00Z`) / 1000),
    });
    const hours = stepsIn(await hoursAt(1, 2));
    assert.deepEqual(
      hours.map((hour) => [
        ...[new Date(hour.time).getUTCHours(), hour.temperature, hour.wind_speed, hour.condition],
        ...[hour.precipitation, hour.precipitation_probability, hour.wind_gusts],
      ]),
      [
        [13, 0, 10, 'Mainly clear', 9, 1, null],
        [14, 1, 11, 'Moderate rain', 1.5, 90, 80],
        [15, 2, 12, 'Overcast', 0, 2, 13],
        // The values of the hour after 16:00 are missing: the next time is 18:00.
      ],
    );
  });

  it('is one call, in UTC, for one hour more than the service needs', async () => {
    await hoursAt(1, 2);
    const { query } = fixture.stub.calls[0]!;
    assert.deepEqual(
      [query['forecast_hours'], query['timezone'], query['timeformat']],
      ['193', 'GMT', 'unixtime'],
    );
  });

  it('is not read if a list is too long, or has another type', async () => {
    const now = '2026-11-25T13:20:00Z';
    for (const hourly of [
      { time: Array.from({ length: 385 }, (_, index) => index) },
      { time: ['2026-11-25T13:00'] },
      { temperature_2m: null },
      { wind_gusts_10m: {} },
    ]) {
      respond(now, hourly);
      await assert.rejects(hoursAt(1, 2), { kind: 'bad_answer' }, JSON.stringify(hourly));
    }
  });
});

describe('the geocoder', () => {
  const fixture = useStubProvider();
  const { client } = fixture;

  const build = () =>
    createGeocoder(
      { client, config: configAt(fixture.stub.url) },
      createCallPolicy('open-meteo-geocoding', policyOptionsOf(manualClock()).options),
    );
  const find = (city: string, countryCode: string) =>
    build()(city, countryCode, { signal: new AbortController().signal });
  const place = { name: 'Testville', latitude: 1, country_code: 'FR', feature_code: 'PPL' };
  /** Responds to every search with these results. */
  const respond = (...results: object[]) => {
    fixture.stub.respond(PATHS.geocoding, { results });
  };

  it('requests the maximum number of results, in the country', async () => {
    await find('London', 'CA');
    assert.deepEqual(fixture.stub.calls[0]?.query, {
      name: 'London',
      count: '100',
      language: 'en',
      format: 'json',
      countryCode: 'CA',
      apikey: SECRET_KEY,
    });
  });

  it('does not find another place for a misspelled or shortened name', async () => {
    assert.equal(await find('Londo', 'GB'), undefined);
    assert.equal(await find('Munic', 'DE'), undefined);
  });

  it('ignores case, accents, hyphens and apostrophes', async () => {
    respond({ ...place, name: 'Saint-Étienne-d’Été' });
    assert.deepEqual(await find('SAINT-ÉTIENNE-D’ÉTÉ', 'FR'), { latitude: 1, longitude: 0 });
    assert.deepEqual(await find("saint etienne d'été", 'FR'), { latitude: 1, longitude: 0 });
  });

  it('searches for an unknown name once in each likely language, at most twice', async () => {
    assert.equal(await find('Nowhereville', 'DE'), undefined);
    assert.equal(await find('Nowhereville', 'GB'), undefined);
    const languages = fixture.stub.calls.map(({ query }) => query['language']);
    assert.deepEqual(languages, ['en', 'de', 'en']);
  });

  it('chooses the most populous settlement, and an area only if no settlement has the name', async () => {
    const results = [
      { ...place, feature_code: 'AIRP', population: 90_000, latitude: 7 },
      { ...place, feature_code: 'ADM4', population: 9000, latitude: 2 },
      { ...place, feature_code: 'PPLQ', population: 800, latitude: 3 },
      { ...place, population: 3, latitude: 4 },
      { ...place, population: 30, latitude: 5 },
      { ...place, population: 300, latitude: 6, country_code: 'BE' },
    ];
    respond(...results);
    assert.deepEqual(await find('Testville', 'FR'), { latitude: 5, longitude: 0 });
    respond(...results.slice(0, 3));
    assert.deepEqual(await find('Testville', 'FR'), { latitude: 2, longitude: 0 });
    respond(results[0]!);
    assert.equal(await find('Testville', 'FR'), undefined);
  });

  it('reads a missing coordinate as zero', async () => {
    assert.deepEqual(await find('Zeroville', 'GH'), { latitude: 0, longitude: 0 });
  });

  it('does not search for a name without a letter', async () => {
    assert.equal(await find("-'.", 'GB'), undefined);
    assert.equal(fixture.stub.count(PATHS.geocoding), 0);
  });

  it('accepts the maximum number of results, and no more', async () => {
    respond(...Array.from({ length: 100 }, () => place));
    assert.deepEqual(await find('Testville', 'FR'), { latitude: 1, longitude: 0 });
    respond(...Array.from({ length: 101 }, () => place));
    await assert.rejects(find('Testville', 'FR'), { kind: 'bad_answer', message: /more than 100/ });
  });

  it('finds no place in a response that has only the time that it took', async () => {
    for (const body of ['{"generationtime_ms":0.54}', '{"generationtime_ms":0,"results":[]}']) {
      fixture.stub.behave(PATHS.geocoding, { kind: 'status', status: 200, body });
      assert.equal(await find('Testville', 'FR'), undefined);
    }
  });

  for (const body of [
    ...['{}', '[]', '[{"name":"Testville"}]', 'null', 'true', '7', '"Testville"', '', '<html>'],
    ...['{"error":true}', '{"error":true,"reason":"The service is overloaded"}'],
    ...['{"generationtime_ms":0.5,"error":true}', '{"results":[],"error":true}'],
    ...['{"generationtime_ms":null}', '{"generationtime_ms":"0.5"}', '{"message":"Not found"}'],
    ...['{"results":null}', '{"results":{}}', '{"results":[null]}', '{"results":[{}]}'],
    ...['{"results":[["Testville"]]}', '{"results":[{"name":"","country_code":"FR"}]}'],
  ]) {
    it(`distinguishes a 200 that is not documented from an unknown place: ${body}`, async () => {
      fixture.stub.behave(PATHS.geocoding, { kind: 'status', status: 200, body });
      await assert.rejects(find('Testville', 'FR'), { name: 'UpstreamError', kind: 'bad_answer' });
    });
  }

  it('distinguishes a failure from an unknown place', async () => {
    const beyond = [
      ...[{ latitude: '51' }, { latitude: 90.1 }, { latitude: -90.1 }],
      ...[{ longitude: 180.1 }, { longitude: -180.1 }],
    ].map((position) => [{ ...place, ...position }]);
    for (const results of ['none', ...beyond]) {
      fixture.stub.respond(PATHS.geocoding, { results });
      const upstream = 'open-meteo-geocoding';
      await assert.rejects(find('Testville', 'FR'), { name: 'UpstreamError', upstream });
    }
    const overloaded = { error: true, reason: 'Too many concurrent requests' };
    fixture.stub.respond(PATHS.geocoding, overloaded, { status: 429 });
    await assert.rejects(find('London', 'GB'), { kind: 'quota', retryAfterMs: 3000 });
  });
});

describe('the language of a name', () => {
  it('follows its script and its country', () => {
    const cases: [string, string, string[]][] = [
      ['London', 'GB', ['en']],
      ['München', 'DE', ['en', 'de']],
      ['Москва', 'RU', ['ru']],
      ['Київ', 'UA', ['uk', 'ru']],
      ['北京', 'CN', ['zh']],
      ['東京', 'JP', ['ja', 'zh']],
      ['さいたま', 'JP', ['ja']],
      ['서울', 'KR', ['ko']],
      ['القاهرة', 'EG', ['ar']],
      ['تهران', 'IR', ['fa', 'ar']],
      ['Αθήνα', 'GR', ['el']],
      ['תל אביב', 'IL', ['he']],
      ['दिल्ली', 'IN', ['hi']],
      ['กรุงเทพ', 'TH', ['th']],
    ];
    for (const [name, country, languages] of cases) {
      assert.deepEqual(likelyLanguages(name, country), languages, name);
    }
  });
});
