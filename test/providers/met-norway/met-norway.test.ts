import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { createMetNorway } from '../../../src/providers/met-norway/met-norway.js';
import {
  conditionOfSymbol,
  isDaySymbol,
} from '../../../src/providers/met-norway/met-norway-symbols.js';
import type { WeatherProvider } from '../../../src/upstream/weather-provider.js';
import { manualClock, type ManualClock } from '../../support/manual-clock.js';
import { PATHS, type StubProvider } from '../../support/stub-provider.js';
import { useStubProvider } from '../../support/use-stub-provider.js';

const HOUR = 3_600_000;
const START = Date.parse('2026-11-21T10:20:00Z');

describe('MET Norway', { timeout: 60_000 }, () => {
  const fixture = useStubProvider();
  let stub: StubProvider;
  let clock: ManualClock;
  let provider: WeatherProvider;
  let deprecations: string[];
  beforeEach(() => {
    ({ stub } = fixture);
    clock = manualClock(START);
    deprecations = [];
    provider = createMetNorway({
      client: fixture.client,
      baseUrl: stub.url,
      clock,
      onDeprecated: (name) => deprecations.push(name),
    });
  });

  interface Step {
    hour: number;
    temperature?: number | null;
    symbols?: (string | null | undefined)[];
  }

  /** Responds with these steps. `expiresIn`: minutes until the response expires. */
  const answer = (
    steps: Step[],
    more: { status?: number; expiresIn?: number; headers?: Record<string, string> } = {},
  ) => {
    const timeseries = steps.map(({ hour, temperature = hour, symbols = ['cloudy'] }) => ({
      time: `2026-11-21T${String(hour).padStart(2, '0')}:00:00Z`,
      data: {
        instant: {
          details: { air_temperature: temperature, relative_humidity: 96.4, wind_speed: 9.6 },
        },
        ...Object.fromEntries(
          symbols.map((symbol, index) => [
            `next_${[1, 6, 12][index]!}_hours`,
            symbol === undefined ? {} : { summary: { symbol_code: symbol } },
          ]),
        ),
      },
    }));
    const body = JSON.stringify({ properties: { timeseries } });
    reply(more.status ?? 200, body, more.expiresIn, more.headers);
  };
  const reply = (status: number, body = '', expiresIn = 30, headers = {}) => {
    const now = clock.now();
    stub.behave(PATHS.metNorway, {
      kind: 'status',
      status,
      body,
      headers: {
        date: new Date(now).toUTCString(),
        expires: new Date(now + expiresIn * 60_000).toUTCString(),
        ...headers,
      },
    });
  };
  const hours = (first: number, last: number): Step[] =>
    Array.from({ length: last - first + 1 }, (_, index) => ({ hour: first + index }));
  const call = () =>
    provider.current!({ latitude: 59.93, longitude: 10.72 }, new AbortController().signal);
  const ask = async () => (await call()).value;

  it('reads the step for the present hour', async () => {
    answer(hours(8, 20));
    assert.deepEqual(await ask(), {
      temperature: 10,
      condition: 'Overcast',
      humidity: 96,
      wind_speed: 34.6,
    });
  });

  it('reads the first step if it begins soon, and fails if no step is near', async () => {
    answer(hours(11, 20));
    assert.equal((await ask()).temperature, 11);
    clock.advance(-HOUR);
    answer(hours(12, 20));
    await assert.rejects(ask(), { kind: 'bad_answer' });
    answer(hours(0, 6));
    await assert.rejects(ask(), { kind: 'bad_answer' });
    answer([]);
    await assert.rejects(ask(), { kind: 'bad_answer' });
  });

  it('reads the symbol of the shortest period that has one', async () => {
    answer([{ hour: 10, symbols: [undefined, 'fog', 'rain'] }]);
    assert.equal((await ask()).condition, 'Fog');
  });

  it('fails if no period of the step has a symbol', async () => {
    answer([{ hour: 9 }, { hour: 10, symbols: [] }, { hour: 11 }]);
    await assert.rejects(ask(), { kind: 'bad_answer' });
    answer([{ hour: 9 }, { hour: 10, symbols: [null] }, { hour: 11 }]);
    await assert.rejects(ask(), { kind: 'bad_answer' });
  });

  it('requires values only of the steps that it uses', async () => {
    answer([...hours(10, 12), { hour: 13, temperature: null }, { hour: 14, symbols: [] }]);
    assert.equal((await ask()).temperature, 10);
  });

  it('accepts a 203, and reports it', async () => {
    answer(hours(10, 12));
    await ask();
    assert.deepEqual(deprecations, []);
    clock.advance(HOUR);
    answer(hours(10, 12), { status: 203 });
    assert.equal((await ask()).temperature, 11);
    assert.deepEqual(deprecations, ['met-norway']);
  });

  it('is fresh until its response expires', async () => {
    answer(hours(10, 20), { expiresIn: 90 });
    assert.equal((await call()).freshForMs, 90 * 60_000);
    answer(hours(10, 20), { expiresIn: -1 });
    assert.equal((await call()).freshForMs, 0);
    answer(hours(10, 20), { headers: { expires: 'soon' } });
    assert.equal((await call()).freshForMs, 0);
  });

  it('is fresh for at most six hours, whatever Expires is', async () => {
    answer(hours(10, 20), { headers: { expires: 'Fri, 31 Dec 9999 23:59:59 GMT' } });
    assert.equal((await call()).freshForMs, 6 * HOUR);
  });

  it('compares Expires with the clock of MET Norway, and subtracts the age of the response', async () => {
    const now = clock.now() + 6 * HOUR;
    const headers = {
      date: new Date(now).toUTCString(),
      expires: new Date(now + 600_000).toUTCString(),
      age: '300',
    };
    answer(hours(10, 11), { headers });
    assert.equal((await call()).freshForMs, 300_000);
  });

  it('rejects a series with too many steps', async () => {
    const steps = (count: number) => Array.from({ length: count }, () => ({ hour: 10 }));
    answer(steps(501));
    await assert.rejects(ask(), { kind: 'bad_answer', message: /more than 500/ });
    answer(steps(500));
    assert.equal((await ask()).temperature, 10);
  });

  it('fails as unavailable if calls are forbidden', async () => {
    reply(403, '<html>403 Forbidden</html>');
    await assert.rejects(ask(), { kind: 'unavailable', message: /calls are forbidden/ });
  });
});

describe('the daily forecast of MET Norway', { timeout: 60_000 }, () => {
  const fixture = useStubProvider();
  const OSLO = { latitude: 59.9127, longitude: 10.7461 };

  /** Responds with the steps, and reads the days at an instant. */
  async function daysAt(now: string, steps: [time: string, temperature: number, period: string][]) {
    const { stub, client } = fixture;
    const timeseries = steps.map(([time, temperature, period]) => ({
      time,
      data: {
        instant: { details: { air_temperature: temperature } },
        [period]: { summary: { symbol_code: 'fair_night' } },
      },
    }));
    const body = JSON.stringify({ properties: { timeseries } });
    stub.behave(PATHS.metNorway, { kind: 'status', status: 200, body });
    const provider = createMetNorway({
      client,
      baseUrl: stub.url,
      clock: manualClock(Date.parse(now)),
      onDeprecated: () => undefined,
    });
    const { value } = await provider.daily!(OSLO, new AbortController().signal);
    assert.equal(value.timezone, 'Europe/Oslo');
    return value.days.map(({ date, temperature_min: min, temperature_max: max }) => [
      date,
      min,
      max,
    ]);
  }

  const SIX = 'next_6_hours';

  it('has the local dates that its steps cover, without the steps that are over', async () => {
    const days = await daysAt('2026-11-23T23:10:00Z', [
      ['2026-11-23T21:00:00Z', -9, 'next_1_hours'],
      ['2026-11-23T23:00:00Z', 1, 'next_1_hours'],
      ['2026-11-24T05:00:00Z', 2, SIX],
      ['2026-11-24T11:00:00Z', 5, SIX],
      ['2026-11-24T17:00:00Z', 3, SIX],
      ['2026-11-24T23:00:00Z', 0, SIX],
      ['2026-11-25T05:00:00Z', 4, SIX],
    ]);
    assert.deepEqual(days, [['2026-11-24', 1, 5]]);
  });

  it('fails if no date is covered', async () => {
    const steps: [string, number, string][] = [['2026-11-24T05:00:00Z', 2, SIX]];
    await assert.rejects(daysAt('2026-11-24T05:00:00Z', steps), { kind: 'bad_answer' });
    await assert.rejects(daysAt('2026-11-24T05:00:00Z', []), { kind: 'bad_answer' });
  });
});

describe('the symbols of MET Norway', () => {
  // prettier-ignore
  const BASES = ['clearsky', 'fair', 'partlycloudy', 'cloudy', 'fog',
    'lightrain', 'rain', 'heavyrain', 'lightrainandthunder', 'rainandthunder', 'heavyrainandthunder',
    'lightrainshowers', 'rainshowers', 'heavyrainshowers', 'lightrainshowersandthunder',
    'rainshowersandthunder', 'heavyrainshowersandthunder', 'lightsleet', 'sleet', 'heavysleet',
    'lightsleetandthunder', 'sleetandthunder', 'heavysleetandthunder', 'lightsleetshowers',
    'sleetshowers', 'heavysleetshowers', 'lightssleetshowersandthunder', 'sleetshowersandthunder',
    'heavysleetshowersandthunder', 'lightsnow', 'snow', 'heavysnow', 'lightsnowandthunder',
    'snowandthunder', 'heavysnowandthunder', 'lightsnowshowers', 'snowshowers', 'heavysnowshowers',
    'lightssnowshowersandthunder', 'snowshowersandthunder', 'heavysnowshowersandthunder'];

  it('all have a condition, with every suffix', () => {
    assert.equal(BASES.length, 41);
    for (const base of BASES) {
      for (const suffix of ['', '_day', '_night', '_polartwilight']) {
        const text = conditionOfSymbol(base + suffix);
        assert.notEqual(text, 'Unknown', base);
        assert.equal(text === 'Thunderstorm', base.includes('thunder'), base);
      }
    }
  });

  it('have the words of the WMO codes', () => {
    assert.equal(conditionOfSymbol('clearsky_night'), 'Clear sky');
    assert.equal(conditionOfSymbol('fair_day'), 'Mainly clear');
    assert.equal(conditionOfSymbol('lightrainshowers_polartwilight'), 'Slight rain showers');
    assert.equal(conditionOfSymbol('heavysnow'), 'Heavy snow fall');
    assert.equal(conditionOfSymbol('frogs_day'), 'Unknown');
  });

  it('say whether the sun is up if they have a suffix', () => {
    assert.equal(isDaySymbol('clearsky_day'), true);
    assert.equal(isDaySymbol('clearsky_night'), false);
    assert.equal(isDaySymbol('clearsky_polartwilight'), false);
    assert.equal(isDaySymbol('cloudy'), undefined);
  });
});
