import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createOpenMeteo } from '../../../src/providers/open-meteo/open-meteo.js';
import { offsetTime } from '../../../src/weather/local-time.js';
import { stepsIn } from '../../support/steps.js';
import { PATHS } from '../../support/stub-provider.js';
import { useStubProvider } from '../../support/use-stub-provider.js';

const HOUR_MS = 3_600_000;
const { signal } = new AbortController();

/** Points, a time of the response near a clock change if the zone has one, and the offsets of the next week and a day. */
const ZONES: [zone: string, latitude: number, longitude: number, now: string, offsets: string[]][] =
  [
    ['Europe/Berlin', 52.52, 13.41, '2027-03-27T12:30Z', ['+01:00', '+02:00']],
    ['America/New_York', 40.71, -74.01, '2026-10-31T12:30Z', ['-04:00', '-05:00']],
    ['Australia/Lord_Howe', -31.55, 159.08, '2027-04-03T02:10Z', ['+11:00', '+10:30']],
    ['Asia/Kathmandu', 27.71, 85.32, '2026-11-25T12:30Z', ['+05:45']],
    ['Pacific/Chatham', -43.95, -176.56, '2027-04-03T02:10Z', ['+13:45', '+12:45']],
    ['America/St_Johns', 47.56, -52.71, '2027-03-13T12:30Z', ['-03:30', '-02:30']],
    ['Africa/Lagos', 6.45, 3.39, '2026-11-25T12:30Z', ['+01:00']],
    ['America/Havana', 23.11, -82.37, '2027-03-13T12:30Z', ['-05:00', '-04:00']],
    ['Pacific/Kiritimati', 1.87, -157.36, '2026-11-25T12:30Z', ['+14:00']],
  ];

describe('the hourly forecast of Open-Meteo', { timeout: 60_000 }, () => {
  const fixture = useStubProvider();

  const hoursAt = async (latitude: number, longitude: number) => {
    const { stub, client } = fixture;
    const provider = createOpenMeteo({ client, baseUrl: stub.url });
    const { value } = await provider.hourly!({ latitude, longitude }, signal);
    return value;
  };
  /** Responds at a time with hours from the present one on. */
  const respond = (now: string, hourly: Record<string, unknown> = {}, count = 193) => {
    const first = Math.floor(Date.parse(now) / HOUR_MS) * 3600;
    const numbers = Array.from({ length: count }, (_, index) => index);
    const complete = {
      time: numbers.map((index) => first + index * 3600),
      temperature_2m: numbers.map((index) => index % 50),
      weather_code: numbers.map(() => 3),
      ...hourly,
    };
    const body = JSON.stringify({ timezone: 'GMT', hourly: complete });
    const headers = { date: new Date(now).toUTCString() };
    fixture.stub.behave(PATHS.openMeteo, { kind: 'status', status: 200, body, headers });
  };

  for (const [zone, latitude, longitude, now, expected] of ZONES) {
    it(`has 192 hours in ${zone}, each once and with its own offset`, async () => {
      respond(now);
      const forecast = await hoursAt(latitude, longitude);
      assert.equal(forecast.timezone, zone);
      const first = Math.floor(Date.parse(now) / HOUR_MS) * HOUR_MS;
      assert.deepEqual(
        forecast.time,
        Array.from({ length: 192 }, (_, index) => first + index * HOUR_MS),
      );
      const times = forecast.time.map((time) => offsetTime(zone, time));
      assert.equal(new Set(times).size, 192);
      assert.deepEqual([...new Set(times.map((time) => time.slice(-6)))], expected);
      assert.deepEqual(
        times.map((time) => Date.parse(time)),
        forecast.time,
      );
    });
  }

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
      { precipitation: ['1'] },
      { wind_gusts_10m: {} },
    ]) {
      respond(now, hourly);
      await assert.rejects(hoursAt(1, 2), { kind: 'bad_answer' }, JSON.stringify(hourly));
    }
  });

  it('has no data without hours from now on', async () => {
    respond('2026-11-25T13:20:00Z', { time: [0, 3600, 7200], temperature_2m: [1, 2, 3] });
    await assert.rejects(hoursAt(1, 2), { kind: 'no_data' });
    respond('2026-11-25T13:20:00Z', {}, 1);
    await assert.rejects(hoursAt(1, 2), { kind: 'no_data' });
  });
});
