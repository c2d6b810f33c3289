import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { after, before, describe } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startRedis, type RedisServer } from './redis-server.js';
import { providersAt, startReplica, type Service } from './service.js';
import { standInWeather, startStandIn, type Call, type StandIn } from './stand-in.js';

/** What the conformance suites share: a client that tidies nothing up, and a running service. */

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  /** The `Set-Cookie` headers. */
  cookies: string[];
  text: string;
  /** The parsed body; undefined when it is empty or no JSON. */
  json: unknown;
}

export interface Ask {
  method?: string;
  headers?: Record<string, string | string[]>;
  /** A text is sent as it is, anything else as JSON. */
  body?: unknown;
}

const agent = new Agent({ keepAlive: true, maxSockets: 32 });

/** One request with exactly this target: no client library tidies it up first. */
export async function ask(base: string, target: string, options: Ask = {}): Promise<Answer> {
  const { hostname, port } = new URL(base);
  const { method = 'GET', headers = {}, body } = options;
  const sent = request({ agent, hostname, port, path: target, method, headers });
  if (body === undefined) sent.end();
  else if (typeof body === 'string' || Buffer.isBuffer(body)) sent.end(body);
  else {
    if (!sent.hasHeader('content-type')) sent.setHeader('Content-Type', 'application/json');
    sent.end(JSON.stringify(body));
  }
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    cookies: response.headers['set-cookie'] ?? [],
    text,
    json: parsed(text),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Sends bytes over a bare connection and gives all that comes back until the server ends it. */
export async function raw(base: string, ...pieces: string[]): Promise<string> {
  const { hostname, port } = new URL(base);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
  socket.on('error', () => undefined);
  for (const piece of pieces) socket.write(piece, 'latin1');
  await once(socket, 'close');
  return text;
}

/** The target of a look-up by city; both values percent-encoded. */
export function weatherOf(city: string, country: string, path = '/api/v1/weather'): string {
  return `${path}?${new URLSearchParams({ city, country }).toString()}`;
}

/** The target of a look-up by coordinates. */
export function weatherAt(lat: string, lon: string): string {
  return `/api/v1/weather/coordinates?${new URLSearchParams({ lat, lon }).toString()}`;
}

/** Asserts an error exactly: status and both fields. */
export function assertError(answer: Answer, status: number, error: string, message: string): void {
  assert.deepEqual([answer.status, answer.json], [status, { error, message }]);
  assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
}

/** Asserts the form of an error where the words of its message are free. */
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

/** The four values that the stand-in gave in answer to a call, as the service has to show them. */
export function weatherGivenTo(call: Call): object {
  const point = [
    call.query['latitude'] ?? call.query['lat'],
    call.query['longitude'] ?? call.query['lon'],
  ];
  const weather = standInWeather(Number(point[0]), Number(point[1]));
  return {
    temperature: weather.temperature,
    condition: weather.sky.text,
    humidity: weather.humidity,
    wind_speed: weather.windKmh,
  };
}

/** The `Cookie` header that a browser would send after an answer. */
export function cookieOf(answer: Answer): string {
  return answer.cookies.map((cookie) => cookie.split(';')[0]).join('; ');
}

/** A copy of an object without some of its fields. */
export function without(
  record: Record<string, unknown>,
  ...names: string[]
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
}

export type Store = 'memory' | 'redis';

/** Defines a suite twice, side by side: for a replica alone in memory, and for one with Redis. */
export function forEachStore(define: (store: Store) => void): void {
  describe('in each store', { concurrency: true }, () => {
    for (const store of ['memory', 'redis'] as const) {
      describe(`with ${store}`, { concurrency: 1 }, () => {
        define(store);
      });
    }
  });
}

export interface Fixture {
  readonly standIn: StandIn;
  readonly service: Service;
  readonly url: string;
  readonly redis: RedisServer | undefined;
  /** A further replica of the same world. */
  replica(env?: Record<string, string>): Promise<Service>;
}

/** A replica before a stand-in provider, for the tests of the suite that calls this. */
export function useService(env: Record<string, string> = {}, store: Store = 'memory'): Fixture {
  const services: Service[] = [];
  let standIn: StandIn | undefined;
  let redis: RedisServer | undefined;
  const replica = async (extra: Record<string, string> = {}) => {
    const service = await startReplica({
      ...providersAt(standIn?.url ?? ''),
      ...(redis ? { REDIS_URL: redis.url } : {}),
      ...env,
      ...extra,
    });
    services.push(service);
    if (redis) await untilReady(service.url);
    return service;
  };
  before(async () => {
    standIn = await startStandIn();
    if (store === 'redis') redis = await startRedis();
    await replica();
  });
  after(async () => {
    // What a replica still has to finish is no concern of these suites.
    for (const service of services) service.kill('SIGKILL');
    await Promise.all(services.map((service) => service.exited));
    await redis?.stop();
    await standIn?.close();
  });
  return {
    get standIn() {
      return standIn!;
    },
    get service() {
      return services[0]!;
    },
    get url() {
      return services[0]!.url;
    },
    get redis() {
      return redis;
    },
    replica,
  };
}

async function untilReady(url: string): Promise<void> {
  await until(async () => (await ask(url, '/api/v1/health/ready')).status === 200);
}

/** Waits for a condition that must come; fails after a time that only a fault can take. */
export async function until(condition: () => boolean | Promise<boolean>, limitMs = 20_000) {
  const deadline = Date.now() + limitMs;
  while (!(await condition())) {
    assert.ok(Date.now() < deadline, 'the condition did not come in time');
    await sleep(25);
  }
}
