import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { UpstreamError } from '../../src/errors.js';
import { attributionOf } from '../../src/providers/attributions.js';
import { createUpstreamClient, type UpstreamClient } from '../../src/upstream/client.js';
import { createGuard } from '../../src/upstream/guard.js';
import { codeOf } from '../../src/weather/conditions.js';
import type { Point, WeatherProvider } from '../../src/weather/types.js';
import { guardingOf } from '../support/guarding.js';
import { systemClock } from '../support/manual-clock.js';
import {
  standInWeather,
  startStandIn,
  type Behaviour,
  type StandIn,
  type StandInWeather,
} from '../support/stand-in.js';

export interface ProviderUnderTest {
  name: string;
  /** The path of the stand-in that it calls. */
  path: string;
  create: (client: UpstreamClient, standIn: StandIn) => WeatherProvider;
  /** Whether it says of this weather that the sun is up; by default it always does. */
  saysIsDay?: (weather: StandInWeather) => boolean;
  /** Where its answer holds the four values, as keys and indexes into the JSON. */
  values: (string | number)[][];
}

export const USER_AGENT = 'weather-test/1.0 ops@example.org';
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

const FAILING: [string, Behaviour, UpstreamError['kind'][]][] = [
  ['a 500', { kind: 'status', status: 500, body: '<html>' }, ['unavailable']],
  ['a 502 without a body', { kind: 'status', status: 502 }, ['unavailable']],
  ['a 400', { kind: 'status', status: 400, body: 'no' }, ['bad_answer']],
  ['a 422', { kind: 'status', status: 422, body: 'no' }, ['bad_answer']],
  ['a 429 in HTML', { kind: 'status', status: 429, body: '<html>' }, ['quota']],
  ['HTML with a 200', { kind: 'html' }, ['bad_answer']],
  ['NaN', { kind: 'nan' }, ['bad_answer']],
  ['a cut-off body', { kind: 'truncated' }, ['unavailable', 'bad_answer']],
  ['a reset connection', { kind: 'reset' }, ['unavailable']],
  ['megabytes', { kind: 'huge' }, ['bad_answer']],
  ['a compressed bomb', { kind: 'gzip-bomb' }, ['bad_answer']],
  [
    'a redirect to a private address',
    { kind: 'redirect', location: 'http://169.254.169.254/latest' },
    ['unavailable'],
  ],
];

const TEXTS = ['"8.4"', 'null', 'true', '{}', '[]', '1e999'];

function without(body: unknown, path: (string | number)[]): string {
  const copy = structuredClone(body);
  const holder = path
    .slice(0, -1)
    .reduce<unknown>((value, key) => Reflect.get(value as object, key), copy);
  Reflect.deleteProperty(holder as object, path.at(-1)!);
  return JSON.stringify(copy);
}

/** The body with the JSON text in place of one value. */
function replaced(body: unknown, path: (string | number)[], text: string): string {
  const copy = structuredClone(body);
  const holder = path
    .slice(0, -1)
    .reduce<unknown>((value, key) => Reflect.get(value as object, key), copy);
  Reflect.set(holder as object, path.at(-1)!, '@@');
  return JSON.stringify(copy).replace('"@@"', text);
}

/** What every provider that asks an upstream does. */
export function weatherProviderContract(provider: ProviderUnderTest): void {
  const { name, path, create, values, saysIsDay = () => true } = provider;
  describe(`weather provider: ${name}`, { timeout: 120_000 }, () => {
    let standIn: StandIn;
    let client: UpstreamClient;
    before(async () => {
      standIn = await startStandIn();
      client = createUpstreamClient({
        userAgent: USER_AGENT,
        timeoutMs: 30_000,
        clock: systemClock,
      });
    });
    afterEach(() => {
      standIn.reset();
    });
    after(async () => {
      client.close();
      await standIn.close();
    });

    const ask = (point: Point = HERE, signal = new AbortController().signal) =>
      create(client, standIn).current(point, signal);
    const failure = async (work: Promise<unknown>): Promise<UpstreamError> => {
      const error: unknown = await work.then(
        () => undefined,
        (reason: unknown) => reason,
      );
      assert.ok(error instanceof UpstreamError, String(error));
      assert.equal(error.upstream, name);
      assert.ok(!`${error.message}${String(error.stack)}`.includes(SECRET_KEY));
      return error;
    };
    /** A regular answer, to be damaged. */
    const regular = async (): Promise<unknown> => {
      await ask();
      const headers = { 'user-agent': USER_AGENT, connection: 'close' };
      const response = await fetch(standIn.url + standIn.calls.at(-1)!.url, { headers });
      return response.json();
    };

    it('has its configured name', () => {
      assert.equal(create(client, standIn).name, name);
    });

    it('gives the weather of each point in the units of the contract', async () => {
      const got = await Promise.all(POINTS.map((point) => ask(point)));
      const expected = POINTS.map(({ latitude, longitude }) => {
        const weather = standInWeather(Number(latitude.toFixed(4)), Number(longitude.toFixed(4)));
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

    it('makes no call beyond its budget', async () => {
      const budgets = new Map([[name, { name, windows: [{ limit: 1, windowSeconds: 60 }] }]]);
      const guard = createGuard(name, guardingOf(systemClock, budgets).guarding);
      const { signal } = new AbortController();
      const guarded = () => guard({ signal, call: () => ask() });
      await guarded();
      const calls = standIn.calls.length;
      assert.equal((await failure(guarded())).kind, 'over_budget');
      assert.equal(standIn.calls.length, calls);
    });

    it('gives a condition that has a WMO code, and has a credit with a link', async () => {
      assert.equal(typeof codeOf((await ask()).condition), 'number');
      assert.match(attributionOf(name) ?? '', /^[\x20-\x7e]+ <https:\/\/[^ >]+>/);
    });

    it('asks with at most four decimals, no exponent and its User-Agent', async () => {
      await Promise.all(POINTS.map((point) => ask(point)));
      const calls = standIn.calls.filter((call) => call.path === path);
      assert.deepEqual(calls.map((call) => call.key).sort(), [
        '-33.8678,151.2073',
        '0,0',
        '0,0',
        '51.5085,-0.1257',
        '51.5085,-0.1262',
        '90,-180',
      ]);
      for (const call of standIn.calls) assert.equal(call.headers['user-agent'], USER_AGENT);
    });

    for (const [what, behaviour, kinds] of FAILING) {
      it(`fails at ${what}`, async () => {
        standIn.behave(path, behaviour);
        const error = await failure(ask());
        assert.ok(kinds.includes(error.kind), error.kind);
        assert.equal(standIn.count(path), 1);
      });
    }

    for (const value of values) {
      it(`fails without ${value.join('.')}, and fills nothing in`, async () => {
        const body = await regular();
        standIn.behave(path, { kind: 'status', status: 200, body: without(body, value) });
        assert.equal((await failure(ask())).kind, 'bad_answer');
        for (const text of TEXTS) {
          const damaged = replaced(body, value, text);
          standIn.behave(path, { kind: 'status', status: 200, body: damaged });
          assert.equal((await failure(ask())).kind, 'bad_answer', text);
        }
      });
    }

    it('fails at numbers that no weather has', async () => {
      const body = await regular();
      for (const value of values) {
        if (/code|id/.test(String(value.at(-1)))) continue;
        standIn.behave(path, { kind: 'status', status: 200, body: replaced(body, value, '-999') });
        assert.equal((await failure(ask())).kind, 'bad_answer', value.join('.'));
      }
    });

    it('honours Retry-After: of a quota in full, of an outage up to 30 s', async () => {
      const headers = { 'retry-after': '120' };
      standIn.behave(path, { kind: 'status', status: 429, headers });
      const quota = await failure(ask());
      assert.deepEqual([quota.kind, quota.retryAfterMs], ['quota', 120_000]);
      standIn.behave(path, { kind: 'status', status: 503, headers });
      const busy = await failure(ask());
      assert.deepEqual([busy.kind, busy.retryAfterMs], ['unavailable', 30_000]);
    });

    it('gives up at the deadline, and leaves no connection', async () => {
      const hasty = createUpstreamClient({
        userAgent: USER_AGENT,
        timeoutMs: 100,
        clock: systemClock,
      });
      for (const kind of ['hang', 'stall'] as const) {
        standIn.behave(path, { kind });
        const call = create(hasty, standIn).current(HERE, new AbortController().signal);
        assert.equal((await failure(call)).kind, 'unavailable');
      }
      client.close();
      while (standIn.openSockets() > 0) await sleep(10);
    });

    it('ends with the reason of a caller who gives up', async () => {
      standIn.behave(path, { kind: 'hang' });
      const controller = new AbortController();
      const reason = new Error('gone');
      const call = ask(HERE, controller.signal);
      call.catch(() => undefined);
      while (standIn.count(path) === 0) await sleep(5);
      controller.abort(reason);
      await assert.rejects(call, (error) => error === reason);
    });
  });
}
