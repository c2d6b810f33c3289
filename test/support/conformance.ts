import assert from 'node:assert/strict';
import { after, before, beforeEach } from 'node:test';
import { assertWithin } from './assert-within.js';
import type { Answer } from './http-client.js';
import { becomesReady } from './readiness.js';
import { startRedis, type RedisServer } from './redis-server.js';
import { providersAt, startReplica, type LogRecord, type Service } from './service.js';
import { steadyHour } from './steady-hour.js';
import { stubWeather, startStubProvider, type Call, type StubProvider } from './stub-provider.js';

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

export interface Fixture {
  readonly stub: StubProvider;
  readonly service: Service;
  readonly url: string;
  /** Starts another replica with the same providers and the same Redis. */
  replica(env?: Record<string, string>): Promise<Service>;
}

/** A replica before a stub provider, for the tests of the suite that calls this. */
export function useService(env: Record<string, string> = {}, store: Store = 'memory'): Fixture {
  const services: Service[] = [];
  let stub: StubProvider | undefined;
  let redis: RedisServer | undefined;
  const replica = async (extra: Record<string, string> = {}) => {
    const service = await startReplica({
      ...providersAt(stub?.url ?? ''),
      ...(redis ? { REDIS_URL: redis.url } : {}),
      ...env,
      ...extra,
    });
    services.push(service);
    if (redis) await becomesReady(service);
    return service;
  };
  before(async () => {
    stub = await startStubProvider();
    if (store === 'redis') redis = await startRedis();
    await replica();
  });
  beforeEach(steadyHour);
  after(async () => {
    for (const service of services) service.kill('SIGKILL');
    await Promise.all(services.map((service) => service.exited));
    await redis?.stop();
    await stub?.close();
    assert.deepEqual(services.flatMap(unexpectedErrors), []);
  });
  return {
    get stub() {
      return stub!;
    },
    get service() {
      return services[0]!;
    },
    get url() {
      return services[0]!.url;
    },
    replica,
  };
}
