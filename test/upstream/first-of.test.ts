import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { ServiceUnavailableError, UpstreamError } from '../../src/errors.js';
import { createDemo } from '../../src/providers/demo.js';
import { createMetNorway } from '../../src/providers/met-norway/met-norway.js';
import { createOpenMeteo } from '../../src/providers/open-meteo/open-meteo.js';
import { createOpenWeatherMap } from '../../src/providers/openweathermap/openweathermap.js';
import { createFirstOf, type FirstOf } from '../../src/upstream/first-of.js';
import type { WeatherProvider } from '../../src/upstream/weather-provider.js';
import { policyOptionsOf } from '../support/call-policies.js';
import { eventually } from '../support/eventually.js';
import { manualClock, systemClock, type ManualClock } from '../support/manual-clock.js';
import { PATHS, stubWeather, type StubProvider } from '../support/stub-provider.js';
import { useStubProvider } from '../support/use-stub-provider.js';

const POINT = { latitude: 51.5085, longitude: -0.1257 };
const HERE = stubWeather(POINT.latitude, POINT.longitude);
const WEATHER = {
  temperature: HERE.temperature,
  condition: HERE.sky.text,
  humidity: HERE.humidity,
  wind_speed: HERE.windKmh,
  is_day: HERE.isDay,
};

describe('failover', { timeout: 60_000 }, () => {
  const fixture = useStubProvider();
  const { client } = fixture;
  let stub: StubProvider;
  /** The clock of the circuit breakers. */
  let clock: ManualClock;
  let records: Record<string, unknown>[];
  let firstOf: FirstOf;
  /** The number of demo responses. */
  let demoCalls: number;

  beforeEach(() => {
    ({ stub } = fixture);
    clock = manualClock();
    demoCalls = 0;
    firstOf = build();
  });

  function build(more: { demo?: boolean; concurrency?: number } = {}): FirstOf {
    const made = policyOptionsOf(clock, undefined, { concurrency: more.concurrency ?? 4 });
    records = made.records;
    const baseUrl = stub.url;
    const onDeprecated = () => undefined;
    return createFirstOf(
      [
        createOpenMeteo({ client, baseUrl }),
        createMetNorway({ client, baseUrl, clock: systemClock, onDeprecated }),
        createOpenWeatherMap({ client, baseUrl, apiKey: 'secret' }),
        ...(more.demo ? [createDemo(systemClock, () => (demoCalls += 1))] : []),
      ],
      made.options,
    );
  }
  const ask = (signal = new AbortController().signal) =>
    firstOf(({ current }) => current, POINT, { signal });
  const counts = () =>
    [PATHS.openMeteo, PATHS.metNorway, PATHS.openWeatherMap].map((path) => stub.count(path));
  const allDown = () => {
    for (const path of Object.values(PATHS)) stub.behave(path, { kind: 'status', status: 500 });
  };

  it('calls only the first provider while it responds', async () => {
    assert.deepEqual(await ask(), { value: WEATHER, provider: 'open-meteo' });
    assert.deepEqual(counts(), [1, 0, 0]);
    assert.deepEqual(records, []);
  });

  it('calls the next providers in order, and each returns the same values in the same units', async () => {
    stub.behave(PATHS.openMeteo, { kind: 'html' });
    const { freshForMs, ...response } = await ask();
    assert.deepEqual(response, { value: WEATHER, provider: 'met-norway' });
    assert.ok(freshForMs);
    stub.behave(PATHS.metNorway, { kind: 'truncated' });
    firstOf = build();
    assert.deepEqual(await ask(), { value: WEATHER, provider: 'openweathermap' });
    assert.deepEqual(
      records.map(({ event, provider }) => [event, provider]),
      [
        ['upstream_failed', 'open-meteo'],
        ['upstream_failed', 'met-norway'],
      ],
    );
  });

  it('skips a provider whose circuit breaker is open, and uses it again after a successful half-open call', async () => {
    stub.behave(PATHS.openMeteo, { kind: 'status', status: 500 });
    for (let call = 0; call < 5; call += 1) assert.equal((await ask()).provider, 'met-norway');
    assert.equal(stub.count(PATHS.openMeteo), 3);
    stub.behave(PATHS.openMeteo);
    assert.equal((await ask()).provider, 'met-norway');
    clock.advance(5000);
    assert.equal((await ask()).provider, 'open-meteo');
    assert.deepEqual(
      records.map(({ event }) => event).filter((event) => event !== 'upstream_failed'),
      ['breaker_open', 'breaker_closed'],
    );
  });

  it('fails if all fail, with the earliest time to retry and the last cause', async () => {
    const wait = (seconds: number) =>
      ({
        kind: 'status',
        status: 429,
        headers: { 'retry-after': String(seconds) },
      }) as const;
    stub.behave(PATHS.openMeteo, wait(300));
    stub.behave(PATHS.metNorway, wait(40));
    stub.behave(PATHS.openWeatherMap, wait(200));
    const error: unknown = await ask().catch((caught: unknown) => caught);
    assert.ok(error instanceof ServiceUnavailableError);
    assert.equal(error.retryAfterSeconds, 40);
    assert.ok(error.cause instanceof UpstreamError);
    assert.equal(error.cause.upstream, 'openweathermap');
    clock.advance(10_000);
    await assert.rejects(ask(), { name: 'ServiceUnavailableError', retryAfterSeconds: 30 });
    assert.deepEqual(counts(), [1, 1, 1]);
  });

  it('reports the failure of each provider if all fail', async () => {
    stub.behave(PATHS.openMeteo, { kind: 'status', status: 500 });
    stub.behave(PATHS.metNorway, { kind: 'status', status: 403 });
    stub.behave(PATHS.openWeatherMap, { kind: 'html' });
    const message = (...failures: string[]) =>
      `No weather provider gave an answer: ${failures.join('; ')}`;
    const [first, last] = [
      'open-meteo: server error (status 500)',
      'openweathermap: the answer is not JSON',
    ];
    const forbidden = 'met-norway: calls are forbidden (status 403)';
    await assert.rejects(ask(), { message: message(first, forbidden, last) });
    await assert.rejects(ask());
    await assert.rejects(ask());
    const rejected = 'met-norway: breaker open (calls are forbidden (status 403))';
    await assert.rejects(ask(), (error: Error) => error.message.includes(rejected));
  });

  it('calls the demo last, which reports each call', async () => {
    firstOf = build({ demo: true });
    allDown();
    assert.equal((await ask()).provider, 'demo');
    assert.equal((await ask()).provider, 'demo');
    assert.equal(demoCalls, 2);
  });

  it('has no more calls to one provider in flight than the concurrency limit', async () => {
    firstOf = build({ concurrency: 3 });
    stub.behave(PATHS.openMeteo, { kind: 'ok', delayMs: 20 });
    const answers = await Promise.all(Array.from({ length: 30 }, () => ask()));
    assert.ok(answers.every(({ provider }) => provider === 'open-meteo'));
    assert.equal(stub.peak(PATHS.openMeteo), 3);
  });

  it('ends with the reason of an aborted signal, and calls no other provider', async () => {
    stub.behave(PATHS.openMeteo, { kind: 'hang' });
    for (let call = 1; call <= 4; call += 1) {
      const controller = new AbortController();
      const reason = new Error('gone');
      const answering = ask(controller.signal);
      answering.catch(() => undefined);
      await eventually(() => stub.count(PATHS.openMeteo) === call, 'the call');
      controller.abort(reason);
      await assert.rejects(answering, (error) => error === reason);
    }
    assert.deepEqual(counts(), [4, 0, 0]);
    assert.deepEqual(records, []);
  });

  it('skips a provider without the ability, and fails if no provider has it', async () => {
    const current = () => Promise.resolve({ value: WEATHER });
    const chainOf = (...providers: WeatherProvider[]) => {
      const chain = createFirstOf(providers, policyOptionsOf(clock, undefined, {}).options);
      const { signal } = new AbortController();
      return chain((provider) => provider.current, POINT, { signal });
    };
    const able = { name: 'able', current };
    assert.equal((await chainOf({ name: 'unable' }, able)).provider, 'able');
    const retryAfterSeconds = 86_400;
    await assert.rejects(chainOf({ name: 'unable' }), {
      ...{ name: 'ServiceUnavailableError', retryAfterSeconds },
      message: 'No weather provider offers this',
    });
    await assert.rejects(chainOf({ name: 'unable' }, { ...able, covers: () => false }), {
      ...{ name: 'ServiceUnavailableError', retryAfterSeconds },
      message: 'No weather provider covers this place',
    });
  });

  it('ends with the reason of an aborted signal also if no provider can be called', async () => {
    allDown();
    for (let call = 0; call < 3; call += 1) await assert.rejects(ask());
    const reason = new Error('gone');
    await assert.rejects(ask(AbortSignal.abort(reason)), (error) => error === reason);
  });
});
