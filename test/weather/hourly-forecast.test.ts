import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HOURLY_FORECAST_ENDPOINT } from '../../src/http/endpoints/hourly-forecast-endpoint.js';
import { readSeries } from '../../src/providers/kind-values.js';
import { HOUR_MS } from '../../src/weather/time/durations.js';
import { HOURLY_FORECAST } from '../../src/weather/kinds/hourly-forecast.js';
import { firstRemaining } from '../../src/weather/kinds/series.js';
import type { Point } from '../../src/weather/types.js';
import { storedKindContract } from '../contracts/stored-kind.contract.js';

const START = Date.parse('2026-11-24T10:00Z');
const forecastOf = (timezone: string, start: number, count = 48) => {
  const hours = Array.from({ length: count }, (_, index) => ({
    ...{ time: start + index * HOUR_MS, temperature: 4.04, weather_code: 3 },
  }));
  const point = { latitude: 1, longitude: 2, timeZone: timezone };
  const response = { body: hours, referenceTimes: [start] };
  return readSeries('a provider', HOURLY_FORECAST, point, response, (body) => body).value;
};

/** The hours of a response about a point. */
function hoursAt(point: Point, timezone: string, now: number, start = now, count = 48) {
  const place = {
    ...{ city: 'Somewhere', country: 'Nowhere', countryCode: 'XX', region: undefined },
    ...point,
    timeZone: timezone,
  };
  const location = { city: 'Somewhere', country: 'Nowhere', latitude: null, longitude: null };
  const body = HOURLY_FORECAST_ENDPOINT.membersOf(forecastOf(timezone, start, count), {
    options: { hours: count, lang: 'en' },
    located: { location, place, point, timeZone: timezone, isFromGazetteer: true },
    provider: 'a provider',
    credit: null,
    now,
  }) as { place: { timezone: string }; hours: { time: string; is_day: boolean }[] };
  assert.equal(body.place.timezone, timezone);
  return body.hours;
}
const timesAt = (timezone: string, start: string) =>
  hoursAt({ latitude: 0, longitude: 0 }, timezone, Date.parse(start), Date.parse(start), 4).map(
    ({ time }) => time.slice('2026-11-24T'.length),
  );

describe('an hourly forecast', () => {
  it('begins with the current hour whenever it is served', () => {
    const forecast = forecastOf('Europe/Berlin', START);
    assert.equal(firstRemaining(HOURLY_FORECAST, forecast, START), 0);
    assert.equal(firstRemaining(HOURLY_FORECAST, forecast, START + HOUR_MS - 1), 0);
    assert.equal(firstRemaining(HOURLY_FORECAST, forecast, START + HOUR_MS), 1);
    assert.equal(firstRemaining(HOURLY_FORECAST, forecast, START + 47.5 * HOUR_MS), 47);
    // The clock of another process was ahead.
    assert.equal(firstRemaining(HOURLY_FORECAST, forecast, START - HOUR_MS), 0);
  });

  it('has local times with the offset of each hour, also when clocks change', () => {
    assert.deepEqual(timesAt('America/New_York', '2026-11-01T04:00Z'), [
      '00:00-04:00',
      '01:00-04:00',
      '01:00-05:00',
      '02:00-05:00',
    ]);
  });

  it('has for each hour whether the sun is up at the point', () => {
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

storedKindContract(HOURLY_FORECAST, {
  key: 'hourly:52.5244:13.4105',
  request: '{"point":{"latitude":52.5244,"longitude":13.4105}}',
  values: [
    '{"timezone":"Asia/Kathmandu","time":[1795654800000,1795658400000],"weather_code":[61,null],"temperature":[8.4,-8],"feels_like":[5.9,null],"humidity":[87,null],"cloud_cover":[100,null],"precipitation":[0.45,null],"precipitation_probability":[61,null],"wind_speed":[11.2,null],"wind_direction":[360,null],"wind_gusts":[24.1,null]}',
  ],
  notRequests: ['null', '{}', '{"point":{"latitude":91,"longitude":0}}', '[52.5244,13.4105]'],
  notValues: [
    'null',
    '{"timezone":"Asia/Kathmandu","time":[],"weather_code":[],"temperature":[]}',
    '{"timezone":"Asia/Kathmandu","time":[1795654800000],"weather_code":[3],"temperature":[null]}',
    '{"timezone":"Asia/Kathmandu","time":[1795654800000],"weather_code":[4],"temperature":[8]}',
    '{"timezone":"Asia/Kathmandu","time":[1795654800000],"weather_code":[3],"temperature":[8,9]}',
    '{"timezone":"Asia/Kathmandu","time":[1795654800000,1795654800000],"weather_code":[3,3],"temperature":[8,9]}',
    '{"timezone":"Asia/Kathmandu","time":[253402300799999],"weather_code":[3],"temperature":[8]}',
    '{"timezone":"Asia/Kathmandu","time":[1795654800000],"weather_code":[3],"temperature":[8],"humidity":87}',
    '{"timezone":"Asia/Kathmandu","time":[1795654800000],"weather_code":[3],"temperature":[8],"humidity":[87.5]}',
  ],
});
