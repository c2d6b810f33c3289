import assert from 'node:assert/strict';
import { after, before, beforeEach } from 'node:test';
import { assertWithin } from './assert-within.js';
import type { Answer } from './http-client.js';
import { suiteLifetime } from './lifetime.js';
import { becomesReady } from './readiness.js';
import type { LogRecord, Service } from './service.js';
import { startProcesses, startStack, type Processes } from './stack.js';
import { steadyHour } from './steady-hour.js';
import { stubWeather, type Call } from './stub-provider.js';

/** Helpers of the conformance tests: targets, assertions about responses, and a running service. */

/** The target of a weather request by city, percent-encoded. */
export function weatherOf(city: string, country: string, path = '/api/v1/weather'): string {
  return `${path}?${new URLSearchParams({ city, country }).toString()}`;
}

/** The target of a weather request by coordinates. */
export function weatherAt(lat: string, lon: string): string {
  return `/api/v1/weather/coordinates?${new URLSearchParams({ lat, lon }).toString()}`;
}

/** Asserts the status and both fields of an error. */
export function assertError(answer: Answer, status: number, error: string, message: string): void {
  assert.deepEqual([answer.status, answer.json], [status, { error, message }]);
  assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
}

/** Asserts the status and the title of an error. @returns its message */
export function assertErrorForm(answer: Answer, status: number, error: string): string {
  const body = answer.json as { error: string; message: string };
  assert.deepEqual(
    [answer.status, Object.keys(body), body.error],
    [status, ['error', 'message'], error],
  );
  assert.equal(typeof body.message, 'string');
  assert.notEqual(body.message, '');
  return body.message;
}

/** Asserts that the data is no older than `sent` (`performance.now()`), in seconds rounded up. */
export function assertAge({ headers }: Answer, sent: number): void {
  assert.match(String(headers.age), /^\d+$/);
  assertWithin(Number(headers.age), 0, Math.ceil((performance.now() - sent) / 1000));
}

/** The four values that the stub provider sent for a call, as the service must show them. */
export function weatherGivenTo(call: Call): object {
  const point = [
    call.query['latitude'] ?? call.query['lat'],
    call.query['longitude'] ?? call.query['lon'],
  ];
  const weather = stubWeather(Number(point[0]), Number(point[1]));
  return {
    temperature: weather.temperature,
    condition: weather.sky.text,
    humidity: weather.humidity,
    wind_speed: weather.windKmh,
  };
}

/** The ERROR records, except for responses with status 503, which a test asserts by itself. */
function unexpectedErrors({ records }: Service): LogRecord[] {
  return records.filter(({ level, status }) => level === 'ERROR' && status !== 503);
}

export type Store = 'memory' | 'redis';
export type Fixture = ReturnType<typeof useService>;

/** A replica before a stub provider, for the tests of the suite that calls this. */
export function useService(env: Record<string, string> = {}, store: Store = 'memory') {
  const lifetime = suiteLifetime();
  let processes: Processes;
  before(async () => {
    const start = store === 'redis' ? startStack : startProcesses;
    processes = await start(lifetime, { replicas: 1, workers: 0, env });
  });
  beforeEach(steadyHour);
  after(() => {
    assert.deepEqual(processes.replicas.flatMap(unexpectedErrors), []);
  });
  return {
    get stub() {
      return processes.upstream;
    },
    get service() {
      return processes.replicas[0]!;
    },
    get url() {
      return processes.replicas[0]!.url;
    },
    /** Starts another replica with the same providers and the same Redis. */
    async replica(more: Record<string, string> = {}) {
      const replica = await processes.addReplica(more);
      if (store === 'redis') await becomesReady(replica);
      return replica;
    },
  };
}
