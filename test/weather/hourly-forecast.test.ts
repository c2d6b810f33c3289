import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ServiceUnavailableError, UpstreamError } from '../../src/base/errors.js';
import { HOURLY_FORECAST_ENDPOINT } from '../../src/http/endpoints/hourly-forecast.js';
import { toHourlyForecast, type RawHour } from '../../src/providers/hourly-values.js';
import { HOUR_MS } from '../../src/weather/durations.js';
import { HOURLY_FORECAST, nextHours } from '../../src/weather/hourly-forecast.js';
import type { Point } from '../../src/weather/types.js';
import { storedKindContract } from '../contracts/stored-kind.contract.js';

const START = Date.parse('2026-11-24T10:00Z');
const raw = (time: number, more: Partial<RawHour> = {}): RawHour => ({
  ...{ time, temperature: 4.04, condition: 'Overcast' },
  ...more,
});
const hoursFrom = (start: number, count: number) =>
  Array.from({ length: count }, (_, index) => raw(start + index * HOUR_MS));
const forecastOf = (timezone: string, start: number, count = 48) =>
  toHourlyForecast('a provider', timezone, hoursFrom(start, count), start);

/** The hours of a response about a point. */
function hoursAt(point: Point, timezone: string, now: number, start = now, count = 48) {
  const place = {
    ...{ city: 'Somewhere', country: 'Nowhere', countryCode: 'XX', region: undefined },
    ...point,
    timeZone: timezone,
  };
  const location = { city: 'Somewhere', country: 'Nowhere', latitude: null, longitude: null };
  const body = HOURLY_FORECAST_ENDPOINT.membersOf(forecastOf(timezone, start, count), {
    options: { hours: count },
    located: { location, place, point, timeZone: timezone },
    provider: 'a provider',
    now,
    creditOf: () => undefined,
  }) as { place: { timezone: string }; hours: { time: string; is_day: boolean }[] };
  assert.equal(body.place.timezone, timezone);
  return body.hours;
}
const timesAt = (timezone: string, start: string) =>
  hoursAt({ latitude: 0, longitude: 0 }, timezone, Date.parse(start), Date.parse(start), 4).map(
    ({ time }) => time.slice('2026-11-24T'.length),
  );

describe('an hourly forecast', () => {
  it('begins with the present hour whenever it is served', () => {
    const forecast = forecastOf('Europe/Berlin', START);
    const firstAt = (now: number) => nextHours(forecast, now, 2).map(({ time }) => time - START);
    assert.deepEqual(firstAt(START), [0, HOUR_MS]);
    assert.deepEqual(firstAt(START + HOUR_MS - 1), [0, HOUR_MS]);
    assert.deepEqual(firstAt(START + HOUR_MS), [HOUR_MS, 2 * HOUR_MS]);
    assert.deepEqual(firstAt(START + 47.5 * HOUR_MS), [47 * HOUR_MS]);
    // The clock of another process was ahead.
    assert.deepEqual(firstAt(START - HOUR_MS), [0, HOUR_MS]);
  });

  it('is read from a cache with at most 48 hours, each after the one before', () => {
    const { timezone, ...lists } = forecastOf('Europe/Berlin', START);
    const withTimes = (times: number[]) => ({
      timezone,
      ...Object.fromEntries(
        Object.entries(lists).map(([name, list]) => [name, times.map(() => list[0] ?? null)]),
      ),
      time: times,
    });
    const times = (count: number) =>
      Array.from({ length: count }, (_, index) => START + index * HOUR_MS);
    assert.ok(HOURLY_FORECAST.readValue(withTimes(times(48))));
    assert.equal(HOURLY_FORECAST.readValue(withTimes(times(49))), undefined);
    assert.equal(HOURLY_FORECAST.readValue(withTimes([START, START])), undefined);
  });

  it('is no value if all its hours are over', () => {
    const forecast = forecastOf('Europe/Berlin', START, 3);
    assert.throws(() => nextHours(forecast, START + 3 * HOUR_MS, 24), ServiceUnavailableError);
  });

  it('has local times with the offset of each hour, also when clocks change', () => {
    assert.deepEqual(timesAt('America/New_York', '2026-11-01T04:00Z'), [
      '00:00-04:00',
      '01:00-04:00',
      '01:00-05:00',
      '02:00-05:00',
    ]);
    assert.deepEqual(timesAt('Europe/Berlin', '2027-03-28T00:00Z'), [
      '01:00+01:00',
      '03:00+02:00',
      '04:00+02:00',
      '05:00+02:00',
    ]);
    assert.deepEqual(timesAt('Asia/Kolkata', '2026-11-24T17:00Z').slice(0, 2), [
      '22:30+05:30',
      '23:30+05:30',
    ]);
    // A zone that Node.js does not know.
    assert.equal(timesAt('Europe/Atlantis', '2026-11-24T17:00Z')[0], '17:00+00:00');
  });

  it('says for each hour whether the sun is up at the point', () => {
    const sunny = (latitude: number, longitude: number, from: string) =>
      hoursAt({ latitude, longitude }, 'UTC', Date.parse(from), Date.parse(from), 24)
        .map(({ is_day }) => (is_day ? '+' : '.'))
        .join('');
    assert.equal(sunny(0, 0, '2026-03-20T00:00Z'), '.......++++++++++++.....');
    assert.equal(sunny(0, 179.9, '2026-03-20T00:00Z'), '+++++++............+++++');
    assert.equal(sunny(78.2, 15.6, '2026-06-21T00:00Z'), '+'.repeat(24));
    assert.equal(sunny(78.2, 15.6, '2026-12-21T00:00Z'), '.'.repeat(24));
  });
});

describe('the hours of a provider', () => {
  const toForecast = (hours: RawHour[]) => toHourlyForecast('a provider', 'UTC', hours, START);

  it('are rounded; a value that is missing or impossible is null', () => {
    const forecast = toForecast([
      raw(START, {
        ...{ feelsLike: -0.04, humidity: 86.6, cloudCover: null, precipitation: 0.125 },
        ...{ precipitationProbability: 105.1, windSpeed: 11.16, windDirection: 209.6 },
        windGusts: Infinity,
      }),
    ]);
    assert.deepEqual(nextHours(forecast, START, 1), [
      {
        ...{ time: START, temperature: 4, condition: 'Overcast', feels_like: 0, humidity: 87 },
        ...{ cloud_cover: null, precipitation: 0.13, precipitation_probability: null },
        ...{ wind_speed: 11.2, wind_direction: 210, wind_gusts: null },
      },
    ]);
  });

  it('are in order, each once, from the present hour on, and at most 48', () => {
    const hours = [...hoursFrom(START - 3 * HOUR_MS, 60).reverse(), raw(START, { temperature: 9 })];
    const forecast = toForecast(hours);
    assert.equal(forecast.time.length, 48);
    assert.deepEqual([forecast.time[0], forecast.time[47]], [START, START + 47 * HOUR_MS]);
    assert.equal(forecast.temperature[0], 4);
  });

  it('are left out without a temperature or a condition, and fail if none is left', () => {
    const incomplete = [
      raw(START, { temperature: null }),
      raw(START + HOUR_MS, { temperature: -999 }),
      raw(START + 2 * HOUR_MS, { condition: undefined }),
    ];
    const forecast = toForecast([
      ...incomplete,
      raw(START + 3 * HOUR_MS, { condition: 'Unknown' }),
    ]);
    assert.deepEqual(forecast.time, [START + 3 * HOUR_MS]);
    assert.equal(nextHours(forecast, START, 1)[0]?.condition, 'Unknown');
    for (const none of [incomplete, [], hoursFrom(START - 5 * HOUR_MS, 5)]) {
      assert.throws(() => toForecast(none), UpstreamError);
    }
  });
});

storedKindContract(HOURLY_FORECAST, {
  key: 'hourly:52.5244:13.4105',
  request: '{"point":{"latitude":52.5244,"longitude":13.4105}}',
  values: [
    '{"timezone":"Asia/Kathmandu","time":[1795654800000,1795658400000],"temperature":[8.4,-8],"weather_code":[61,null],"feels_like":[5.9,null],"humidity":[87,null],"cloud_cover":[100,null],"precipitation":[0.45,null],"precipitation_probability":[61,null],"wind_speed":[11.2,null],"wind_direction":[360,null],"wind_gusts":[24.1,null]}',
  ],
  notRequests: ['null', '{}', '{"point":{"latitude":91,"longitude":0}}', '[52.5244,13.4105]'],
  notValues: [
    'null',
    '{"timezone":"Asia/Kathmandu","time":[],"temperature":[],"weather_code":[],"feels_like":[],"humidity":[],"cloud_cover":[],"precipitation":[],"precipitation_probability":[],"wind_speed":[],"wind_direction":[],"wind_gusts":[]}',
    '{"timezone":"","time":[1795654800000,1795658400000],"temperature":[8.4,-8],"weather_code":[61,null],"feels_like":[5.9,null],"humidity":[87,null],"cloud_cover":[100,null],"precipitation":[0.45,null],"precipitation_probability":[61,null],"wind_speed":[11.2,null],"wind_direction":[360,null],"wind_gusts":[24.1,null]}',
    '{"timezone":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA","time":[1795654800000,1795658400000],"temperature":[8.4,-8],"weather_code":[61,null],"feels_like":[5.9,null],"humidity":[87,null],"cloud_cover":[100,null],"precipitation":[0.45,null],"precipitation_probability":[61,null],"wind_speed":[11.2,null],"wind_direction":[360,null],"wind_gusts":[24.1,null]}',
    '{"timezone":"Asia/Kathmandu","time":[1795658400000,1795654800000],"temperature":[8.4,-8],"weather_code":[61,null],"feels_like":[5.9,null],"humidity":[87,null],"cloud_cover":[100,null],"precipitation":[0.45,null],"precipitation_probability":[61,null],"wind_speed":[11.2,null],"wind_direction":[360,null],"wind_gusts":[24.1,null]}',
    '{"timezone":"Asia/Kathmandu","time":[1795654800000,1795654800000],"temperature":[8.4,-8],"weather_code":[61,null],"feels_like":[5.9,null],"humidity":[87,null],"cloud_cover":[100,null],"precipitation":[0.45,null],"precipitation_probability":[61,null],"wind_speed":[11.2,null],"wind_direction":[360,null],"wind_gusts":[24.1,null]}',
    '{"timezone":"Asia/Kathmandu","time":[1795654800000,1e+300],"temperature":[8.4,-8],"weather_code":[61,null],"feels_like":[5.9,null],"humidity":[87,null],"cloud_cover":[100,null],"precipitation":[0.45,null],"precipitation_probability":[61,null],"wind_speed":[11.2,null],"wind_direction":[360,null],"wind_gusts":[24.1,null]}',
    '{"timezone":"Asia/Kathmandu","time":["2026-11-26T01:00Z","2026-11-26T02:00Z"],"temperature":[8.4,-8],"weather_code":[61,null],"feels_like":[5.9,null],"humidity":[87,null],"cloud_cover":[100,null],"precipitation":[0.45,null],"precipitation_probability":[61,null],"wind_speed":[11.2,null],"wind_direction":[360,null],"wind_gusts":[24.1,null]}',
    '{"timezone":"Asia/Kathmandu","time":[1795654800000,1795658400000],"temperature":[8.4],"weather_code":[61,null],"feels_like":[5.9,null],"humidity":[87,null],"cloud_cover":[100,null],"precipitation":[0.45,null],"precipitation_probability":[61,null],"wind_speed":[11.2,null],"wind_direction":[360,null],"wind_gusts":[24.1,null]}',
    '{"timezone":"Asia/Kathmandu","time":[1795654800000,1795658400000],"temperature":[8.4,null],"weather_code":[61,null],"feels_like":[5.9,null],"humidity":[87,null],"cloud_cover":[100,null],"precipitation":[0.45,null],"precipitation_probability":[61,null],"wind_speed":[11.2,null],"wind_direction":[360,null],"wind_gusts":[24.1,null]}',
    '{"timezone":"Asia/Kathmandu","time":[1795654800000,1795658400000],"temperature":[8.4,99],"weather_code":[61,null],"feels_like":[5.9,null],"humidity":[87,null],"cloud_cover":[100,null],"precipitation":[0.45,null],"precipitation_probability":[61,null],"wind_speed":[11.2,null],"wind_direction":[360,null],"wind_gusts":[24.1,null]}',
    '{"timezone":"Asia/Kathmandu","time":[1795654800000,1795658400000],"temperature":[8.4,-8],"weather_code":[61,4],"feels_like":[5.9,null],"humidity":[87,null],"cloud_cover":[100,null],"precipitation":[0.45,null],"precipitation_probability":[61,null],"wind_speed":[11.2,null],"wind_direction":[360,null],"wind_gusts":[24.1,null]}',
    '{"timezone":"Asia/Kathmandu","time":[1795654800000,1795658400000],"temperature":[8.4,-8],"weather_code":[61,"3"],"feels_like":[5.9,null],"humidity":[87,null],"cloud_cover":[100,null],"precipitation":[0.45,null],"precipitation_probability":[61,null],"wind_speed":[11.2,null],"wind_direction":[360,null],"wind_gusts":[24.1,null]}',
    '{"timezone":"Asia/Kathmandu","time":[1795654800000,1795658400000],"temperature":[8.4,-8],"weather_code":[61,null],"feels_like":[5.9,null],"humidity":[87,101],"cloud_cover":[100,null],"precipitation":[0.45,null],"precipitation_probability":[61,null],"wind_speed":[11.2,null],"wind_direction":[360,null],"wind_gusts":[24.1,null]}',
    '{"timezone":"Asia/Kathmandu","time":[1795654800000,1795658400000],"temperature":[8.4,-8],"weather_code":[61,null],"feels_like":[5.9,null],"humidity":[87.5,null],"cloud_cover":[100,null],"precipitation":[0.45,null],"precipitation_probability":[61,null],"wind_speed":[11.2,null],"wind_direction":[360,null],"wind_gusts":[24.1,null]}',
    '{"timezone":"Asia/Kathmandu","time":[1795654800000,1795658400000],"temperature":[8.4,-8],"weather_code":[61,null],"feels_like":[5.9,null],"humidity":[87,null],"cloud_cover":[100,null],"precipitation":[0.45,null],"precipitation_probability":[61,null],"wind_speed":[11.2,null],"wind_direction":[360,null],"wind_gusts":[24.1]}',
    '{"timezone":"Asia/Kathmandu","time":[1795654800000,1795658400000],"temperature":[8.4,-8],"weather_code":[61,null],"feels_like":[5.9,null],"humidity":[87,null],"cloud_cover":[100,null],"precipitation":"0.45","precipitation_probability":[61,null],"wind_speed":[11.2,null],"wind_direction":[360,null],"wind_gusts":[24.1,null]}',
    '{"timezone":"Asia/Kathmandu","time":[1795654800000,1795658400000],"temperature":[8.4,-8],"weather_code":[61,null],"feels_like":[5.9,null],"humidity":[87,null],"cloud_cover":[100,null],"precipitation":[0.45,null],"precipitation_probability":[61,-1],"wind_speed":[11.2,null],"wind_direction":[360,null],"wind_gusts":[24.1,null]}',
    '{"timezone":"Asia/Kathmandu","time":[1795654800000,1795658400000],"temperature":[8.4,-8],"weather_code":[61,null],"feels_like":[5.9,null],"humidity":[87,null],"cloud_cover":[100,null],"precipitation":[0.45,null],"precipitation_probability":[61,null],"wind_speed":[11.2,null],"wind_gusts":[24.1,null]}',
  ],
});
