import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { anyClient } from '../support/http-client.js';
import { startReplica, type Service } from '../support/service.js';
import { closed } from '../support/raw-request.js';
import { ENDING_SHAPES, REFUSAL, REFUSAL_ALONE, SERVED, SHAPES, type Shape } from './shapes.js';

const { COST_LIMIT } = process.env;

/**
 * The promise is 10 times a plain rejection, which the nightly run sets. The default is larger:
 * other processes use the CPU caches and double the cost. Code slower than linear costs hundreds.
 */
const LIMIT = Number(COST_LIMIT ?? 25);
/**
 * The same for requests that are served: their CPU time depends on their result. All hours, 28 to
 * 45 kB, cost 12 to 18 rejections, a name with many commas 11, an MCP package message 8 to 11.
 */
const SERVED_LIMIT = 25;
/**
 * The same for requests that end their connection. Node.js parses all that it has read, 64 KB, and
 * nothing can stop it: 10,900 chunks of one byte cost 15 to 20 rejections. If each chunk is stored,
 * or if reading continues, they cost more than 60.
 */
const ENDING_LIMIT = 40;
/** Rounds that are measured, after one that is not. A lower limit needs more of them. */
const ROUNDS = COST_LIMIT === undefined ? 1 : 5;
/** A round with requests that end their connection takes seconds. */
const ENDING_ROUNDS = 2;
/** Number of measurements that must all exceed the limit. */
const ATTEMPTS = 5;
/** Requests per batch: enough to measure, and so few that other processes disturb few batches. */
const [PLAIN, HOSTILE] = [20, 8];
/** Requests of each shape before the measurement, so that Node.js has compiled their code. */
const WARM_UP = { batch: COST_LIMIT === undefined ? 5 : 200, batchAlone: 40 };
const REFUSED = '203.0.113.9';
const REFUSALS = [REFUSAL, REFUSAL_ALONE];

/** Milliseconds until idle. Linux updates a thread's CPU time when it stops, or every few ms. */
const IDLE_MS = 5;

/** CPU time of the thread that serves requests, in milliseconds. */
async function processorMs({ pid }: Service): Promise<number> {
  await sleep(IDLE_MS);
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
}

let clients = 0;
const lineFor = (shape: Shape) => {
  const ip = REFUSALS.includes(shape) ? REFUSED : anyClient((clients += 1))['X-Forwarded-For'];
  return `X-Forwarded-For: ${ip}\r\n`;
};

/** Sends a request on a new connection, and its rest until the server ends the connection. */
async function sendAlone(service: Service, shape: Shape): Promise<void> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  const ended = closed(socket);
  socket.write(shape.bytes(lineFor(shape), clients), 'latin1');
  await once(socket, 'data');
  const timer = setInterval(() => socket.write(shape.rest ?? ''), 50);
  await ended;
  clearInterval(timer);
}

/** Sends requests at once, each on a new connection. @returns the CPU milliseconds of each */
async function batchAlone(service: Service, shape: Shape, count: number): Promise<number> {
  const before = await processorMs(service);
  await Promise.all(Array.from({ length: count }, () => sendAlone(service, shape)));
  return ((await processorMs(service)) - before) / count;
}

/** Sends requests one after the other. @returns the CPU time of each in milliseconds */
async function batch(service: Service, shape: Shape, count: number): Promise<number> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1').setEncoding('latin1');
  await once(socket, 'connect');
  const before = await processorMs(service);
  for (let n = 0; n < count; n += 1) {
    const line = lineFor(shape);
    socket.write(shape.bytes(line, clients), 'latin1');
    // A response ends after the bytes of its Content-Length, or after its headers.
    let answer = '';
    for (let missing = 1; missing > 0;) {
      const [piece] = (await once(socket, 'data')) as [string];
      answer += piece;
      const head = answer.indexOf('\r\n\r\n');
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(answer)?.[1] ?? 0);
      missing = head < 0 ? 1 : head + 4 + length - answer.length;
    }
  }
  const spent = (await processorMs(service)) - before;
  socket.destroy();
  return spent / count;
}

/**
 * Measures shapes, each directly after the plain rejection: a change of the machine affects both.
 * @param plain the shape whose CPU time is 1 in the result
 * @returns the median of each shape, or the smaller of two values, by its name
 */
async function multiples(
  plain: Shape,
  shapes: readonly Shape[],
  rounds: number,
  warmUp: number,
  measure: (shape: Shape, count: number) => Promise<number>,
): Promise<Map<string, number>> {
  for (const shape of [plain, ...shapes]) await measure(shape, warmUp);
  const found = new Map(shapes.map(({ name }) => [name, [] as number[]]));
  for (let round = 0; round < rounds; round += 1) {
    for (const shape of shapes) {
      const one = await measure(plain, PLAIN);
      found.get(shape.name)?.push((await measure(shape, HOSTILE)) / one);
    }
  }
  const middle = (values: number[]) => values.toSorted((a, b) => a - b)[(rounds - 1) >> 1] ?? NaN;
  return new Map([...found].map(([name, values]) => [name, middle(values)]));
}

describe('the CPU time of hostile requests', () => {
  const batches = { batch, batchAlone };
  for (const [name, limit, plain, shapes, rounds, how] of [
    ['is', LIMIT, REFUSAL, SHAPES, ROUNDS, 'batch'],
    ['that are served is', SERVED_LIMIT, REFUSAL, SERVED, ROUNDS, 'batch'],
    [
      'that end their connection is',
      ENDING_LIMIT,
      REFUSAL_ALONE,
      ENDING_SHAPES,
      ENDING_ROUNDS,
      'batchAlone',
    ],
  ] as const) {
    const skip =
      COST_LIMIT === undefined && shapes !== SHAPES && 'runs at night, alone on the machine';
    it(`${name} at most ${limit} times the CPU time of a plain rejection`, { skip }, async (t) => {
      const service = await startReplica({
        WEATHER_PROVIDERS: 'demo',
        TRUST_PROXY: '1',
        MCP_ENABLED: 'true',
        RATE_LIMIT_PER_IP: '5',
        RATE_LIMIT_PER_IP_WINDOW_SECONDS: '3600',
      });
      t.after(() => service.stop());
      const measure = (shape: Shape, count: number) => batches[how](service, shape, count);
      let tooDear: readonly Shape[] = shapes;
      let found = new Map<string, number>();
      for (let attempt = 1; attempt <= ATTEMPTS && tooDear.length > 0; attempt += 1) {
        found = await multiples(plain, tooDear, rounds, WARM_UP[how], measure);
        for (const [shape, times] of found) t.diagnostic(`${times.toFixed(1)} ${shape}`);
        tooDear = tooDear.filter((shape) => (found.get(shape.name) ?? 0) > limit);
      }
      assert.deepEqual(
        tooDear.map((shape) => [shape.name, found.get(shape.name)]),
        [],
      );
    });
  }
});
