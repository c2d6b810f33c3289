import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { createOpenMeteo } from '../../../src/providers/open-meteo/open-meteo.js';
import { stepsIn } from '../../support/steps.js';
import { without } from '../../support/without.js';
import { PATHS, type StubProvider } from '../../support/stub-provider.js';
import { useStubProvider } from '../../support/use-stub-provider.js';

const TODAY = '2026-11-24';
const TOMORROW = '2026-11-25';
/** The time of the response: noon in Oslo. */
const DATE = 'Tue, 24 Nov 2026 11:00:00 GMT';
const OSLO = { latitude: 59.91, longitude: 10.75 };

const COMPUTED = ['day_length', 'moon_phase', 'moonrise', 'moonset'];

describe('the daily forecast of Open-Meteo', { timeout: 60_000 }, () => {
  const fixture = useStubProvider();
  let stub: StubProvider;
  beforeEach(() => {
    ({ stub } = fixture);
  });

  const ask = () =>
    createOpenMeteo({ client: fixture.client, baseUrl: stub.url }).daily!(
      OSLO,
      new AbortController().signal,
    );
  const days = async () => stepsIn((await ask()).value);
  /** Responds with two days. A member that is undefined is missing. */
  const respond = (daily: Record<string, unknown>, timezone: unknown = 'Europe/Oslo') => {
    const complete = {
      time: [TODAY, TOMORROW],
      temperature_2m_min: [-1.04, 2],
      temperature_2m_max: [4.06, 9],
      weather_code: [61, 17],
      ...daily,
    };
    const body = JSON.stringify({ timezone, daily: complete });
    stub.behave(PATHS.openMeteo, { kind: 'status', status: 200, body, headers: { date: DATE } });
  };

  it('is rounded, has null for what is missing, and sunrise and sunset', async () => {
    respond({});
    const today = { date: TODAY, temperature_min: -1, temperature_max: 4.1 };
    const tomorrow = { date: TOMORROW, temperature_min: 2, temperature_max: 9 };
    const missing = {
      ...{ precipitation_probability: null, precipitation: null },
      ...{ wind_speed_max: null, wind_gusts_max: null, uv_index_max: null, snowfall: null },
    };
    assert.equal((await ask()).value.timezone, 'Europe/Oslo');
    assert.deepEqual(
      (await days()).map((day) => without({ ...day }, ...COMPUTED)),
      [
        {
          ...{ ...today, ...missing, condition: 'Slight rain' },
          ...{ sunrise: `${TODAY}T08:36`, sunset: `${TODAY}T15:31` },
        },
        {
          ...{ ...tomorrow, ...missing, condition: 'Unknown' },
          ...{ sunrise: `${TOMORROW}T08:38`, sunset: `${TOMORROW}T15:29` },
        },
      ],
    );
    assert.equal(stub.calls[0]?.headers['accept-encoding'], 'identity');
    assert.ok(!/sunrise|sunset/.test(stub.calls[0].url));
    respond({ precipitation_probability_max: [0, 100.4] });
    const chances = (await days()).map((day) => day.precipitation_probability);
    assert.deepEqual(chances, [0, 100]);
    respond({
      ...{ precipitation_sum: [0.126, 12], wind_speed_10m_max: [11.26, 0] },
      ...{ wind_gusts_10m_max: [null, 70.04], uv_index_max: [0.25, 900] },
    });
    const members = (await days()).map((day) => [
      ...[day.precipitation, day.wind_speed_max, day.wind_gusts_max, day.uv_index_max],
    ]);
    assert.deepEqual(members, [
      [0.13, 11.3, null, 0.3],
      [12, 0, 70, null],
    ]);
  });

  it('has the time zone at the point if Node.js does not know the one of the response', async () => {
    for (const timezone of ['America/Nowhere', '+01:00', 'x'.repeat(100)]) {
      respond({}, timezone);
      assert.equal((await ask()).value.timezone, 'Europe/Oslo');
    }
  });

  it('has the sunrise by the clocks of its day, also after a clock change in the same response', async () => {
    const time = ['2027-03-27', '2027-03-28', '2027-03-29'];
    const body = JSON.stringify({
      timezone: 'Europe/Oslo',
      utc_offset_seconds: 3600,
      daily: {
        time,
        ...{
          temperature_2m_min: [1, 2, 3],
          temperature_2m_max: [4, 5, 6],
          weather_code: [0, 0, 0],
        },
        // The service has the offset of today for all days.
        sunrise: ['2027-03-27T05:59', '2027-03-28T05:56', '2027-03-29T05:52'],
        sunset: ['2027-03-27T18:48', '2027-03-28T18:50', '2027-03-29T18:53'],
      },
    });
    const headers = { date: 'Sat, 27 Mar 2027 11:00:00 GMT' };
    stub.behave(PATHS.openMeteo, { kind: 'status', status: 200, body, headers });
    assert.deepEqual(
      (await days()).map(({ sunrise, sunset }) => [sunrise, sunset]),
      [
        ['2027-03-27T05:59', '2027-03-27T18:48'],
        ['2027-03-28T06:56', '2027-03-28T19:50'],
        ['2027-03-29T06:52', '2027-03-29T19:53'],
      ],
    );
  });

  it('leaves out a day without a minimum, a maximum, or a condition', async () => {
    for (const name of ['temperature_2m_min', 'temperature_2m_max', 'weather_code']) {
      respond({ [name]: [null, 9] });
      assert.deepEqual((await ask()).value.date, [TOMORROW]);
      respond({ [name]: [null] });
      await assert.rejects(ask(), { kind: 'no_data', message: /no complete day/ });
    }
  });

  it('is not read if a value is not what it must be', async () => {
    for (const daily of [
      { time: [TODAY, 'tomorrow'] },
      { time: Array.from({ length: 17 }, () => TODAY) },
      { time: null },
      { temperature_2m_min: ['10', 2] },
      { weather_code: [true, 2] },
      { precipitation_probability_max: ['0', 0] },
      { uv_index_max: [true, 0] },
    ]) {
      respond(daily);
      await assert.rejects(ask(), { kind: 'bad_answer' }, JSON.stringify(daily));
    }
    for (const timezone of [null, 7, 'x'.repeat(101)]) {
      respond({}, timezone);
      await assert.rejects(ask(), { kind: 'bad_answer' });
    }
  });
});
