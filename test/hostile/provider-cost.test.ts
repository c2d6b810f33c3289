import { lookup } from 'node:dns';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { createMetNorway } from '../../src/providers/met-norway/met-norway.js';
import { createOpenMeteo } from '../../src/providers/open-meteo/open-meteo.js';
import { createOpenWeatherMap } from '../../src/providers/openweathermap/openweathermap.js';
import { createWeatherGov } from '../../src/providers/weather-gov/weather-gov.js';
import { createUpstreamClient } from '../../src/upstream/upstream-client.js';
import { systemClock } from '../support/manual-clock.js';
import { listenLocally } from '../support/listen-locally.js';

/**
 * The promise is 10 ms on an idle machine, where a real forecast of MET Norway takes 2 to 3 ms. Without the bounds, the
 * responses below cost seven to thirty times as much as a real one.
 */
const LIMIT = 5;
/** The CPU time is measured in steps of some milliseconds, so it is that of many calls. */
const [WARM_UP, ROUNDS] = [5, 20];
const HOUR_MS = 3_600_000;
const MAX_BYTES = 262_144;
const NOW = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;

const period = {
  summary: { symbol_code: 'rain' },
  details: { air_temperature_min: 1, air_temperature_max: 2, probability_of_precipitation: 3 },
};
const details = { air_temperature: 1.5, relative_humidity: 50, wind_speed: 3 };

/** A series of MET Norway. @param hours between two steps */
const series = (count: number, hours: number, more = {}) =>
  JSON.stringify({
    properties: {
      timeseries: Array.from({ length: count }, (_, index) => ({
        time: new Date(NOW + index * hours * HOUR_MS).toISOString(),
        data: { instant: { details }, next_1_hours: period, next_6_hours: period },
      })),
    },
    ...more,
  });
const unknown = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`u${index}`, 1]));
const dates = Array.from({ length: 16 }, (_, day) =>
  new Date(NOW + day * 24 * HOUR_MS).toISOString().slice(0, 10),
);

const REAL = series(90, 1);
const POINT = { latitude: 47.6, longitude: -122.3 };

/** The largest responses that each provider could send. */
const HOSTILE: [what: string, provider: string, body: string][] = [
  ['500 steps on 500 dates', 'met-norway', series(500, 24)],
  ['500 steps in eight days', 'met-norway', series(500, 0.38)],
  ['11,000 unknown members', 'met-norway', series(1, 1, unknown(11_000))],
  ['22,000 unknown members', 'met-norway', series(1, 1, unknown(22_000))],
  ['arrays in 100,000 arrays', 'met-norway', `{"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
  [
    'sixteen days with long arrays',
    'open-meteo',
    JSON.stringify({
      timezone: 'Europe/Berlin',
      daily: {
        time: dates,
        temperature_2m_min: dates.map(() => 1),
        temperature_2m_max: dates.map(() => 2),
        weather_code: dates.map(() => 3),
        ...Object.fromEntries(dates.map((date) => [date, Array.from({ length: 800 }, () => 1)])),
      },
    }),
  ],
  [
    'a hundred steps with twenty conditions',
    'openweathermap',
    JSON.stringify({
      cod: '200',
      list: Array.from({ length: 100 }, (_, index) => ({
        dt: (NOW + index * 1.9 * HOUR_MS) / 1000,
        main: { temp: 1 },
        weather: Array.from({ length: 20 }, () => ({ id: 500, icon: '10d', main: 'x'.repeat(60) })),
      })),
    }),
  ],
  [
    'fifty periods with long texts',
    'weather-gov',
    JSON.stringify({
      properties: {
        periods: Array.from({ length: 50 }, (_, index) => ({
          startTime: `${dates[index % 16]}T06:00:00-08:00`,
          isDaytime: index % 2 === 0,
          temperature: 50,
          temperatureUnit: 'F',
          icon: 'https://api.weather.gov/icons/land/day/'.repeat(60),
          shortForecast: 'light '.repeat(400),
        })),
      },
    }),
  ],
];

/** CPU time of this thread in milliseconds. Other processes do not affect it. */
function processorMs(): number {
  const { pid } = process;
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
}

describe('the CPU time of a response of a provider', { timeout: 120_000 }, () => {
  it(`is at most ${LIMIT} times that of a real forecast, whatever the response contains`, async (t) => {
    let body = '';
    const grid = JSON.stringify({ properties: { gridId: 'TST', gridX: 1, gridY: 1 } });
    const baseUrl = await listenLocally(t, ({ url = '' }, response) =>
      response.end(url.startsWith('/points/') ? grid : body),
    );
    const settings = { userAgent: 'x', timeoutMs: 20_000, lookup, clock: systemClock };
    const client = createUpstreamClient(settings);
    t.after(() => {
      client.close();
    });
    const options = { client, baseUrl, clock: systemClock };
    const providers = new Map(
      [
        createMetNorway({ ...options, onDeprecated: () => undefined }),
        createOpenMeteo(options),
        createOpenWeatherMap({ ...options, apiKey: 'x' }),
        createWeatherGov(options),
      ].map((provider) => [provider.name, provider]),
    );

    async function costOf(provider: string, text: string): Promise<number> {
      assert.ok(text.length <= MAX_BYTES, `${text.length} bytes`);
      body = text;
      let before = 0;
      for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
        if (round === WARM_UP) before = processorMs();
        const { signal } = new AbortController();
        await providers
          .get(provider)
          ?.daily?.(POINT, signal)
          .catch(() => undefined);
      }
      return (processorMs() - before) / ROUNDS;
    }

    /** The responses whose cost is above the limit. */
    async function tooDear(responses: typeof HOSTILE): Promise<typeof HOSTILE> {
      const real = await costOf('met-norway', REAL);
      t.diagnostic(`${real.toFixed(1)} ms for a real forecast`);
      const found: typeof HOSTILE = [];
      for (const response of responses) {
        const [what, provider, text] = response;
        const cost = await costOf(provider, text);
        t.diagnostic(`${cost.toFixed(1)} ms for ${what}`);
        if (cost > LIMIT * real) found.push(response);
      }
      return found;
    }

    for (let warmUp = 0; warmUp < 3; warmUp += 1) await costOf('met-norway', REAL);
    const suspects = await tooDear(HOSTILE);
    // On a busy machine, a single measurement may be wrong.
    const names = (await tooDear(suspects)).map(([what]) => what);
    assert.deepEqual(names, []);
  });
});
