import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { anyClient } from '../support/http-client.js';
import { startReplica, type Service } from '../support/service.js';
import { REFUSAL, SHAPES, type Shape } from './shapes.js';

/**
 * The promise is 10 times a plain rejection, which the nightly run sets. The default is larger, because other processes
 * on the machine use the caches of the CPU and double the cost. Code that is slower than linear costs hundreds.
 */
const LIMIT = Number(process.env['COST_LIMIT'] ?? 25);
const WARM_UP = 3;
const ROUNDS = 5;
/** Requests per batch: enough to be measured, and so few that other processes disturb few batches. */
const [PLAIN, HOSTILE] = [40, 8];
const REFUSED = '203.0.113.9';

/** CPU time of the thread that serves requests, in milliseconds. Other processes do not affect it. */
function processorMs({ pid }: Service): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
}

let clients = 0;
const lineFor = (shape: Shape) => {
  const ip = shape === REFUSAL ? REFUSED : anyClient((clients += 1))['X-Forwarded-For'];
  return `X-Forwarded-For: ${ip}\r\n`;
};

/** Sends requests one after the other. @returns the CPU time of each in milliseconds */
async function batch(service: Service, shape: Shape, count: number): Promise<number> {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1').setEncoding('latin1');
  await once(socket, 'connect');
  const before = processorMs(service);
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
  const spent = processorMs(service) - before;
  socket.destroy();
  return spent / count;
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/** Measures the shapes in turn, so that a change of the machine affects all of them. */
async function multiples(service: Service, shapes: Shape[]): Promise<Map<string, number>> {
  const spent = new Map<Shape, number[]>([REFUSAL, ...shapes].map((shape) => [shape, []]));
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    for (const [shape, list] of spent) {
      const warming = round < WARM_UP || shape === REFUSAL;
      const each = await batch(service, shape, warming ? PLAIN : HOSTILE);
      if (round >= WARM_UP) list.push(each);
    }
  }
  const plain = median(spent.get(REFUSAL) ?? []);
  return new Map(shapes.map((shape) => [shape.name, median(spent.get(shape) ?? []) / plain]));
}

describe('the CPU time of hostile requests', () => {
  it(`is at most ${LIMIT} times the CPU time of a plain rejection`, async (t) => {
    const service = await startReplica({
      WEATHER_PROVIDERS: 'demo',
      TRUST_PROXY: '1',
      RATE_LIMIT_PER_IP: '5',
      RATE_LIMIT_PER_IP_WINDOW_SECONDS: '3600',
    });
    t.after(() => service.stop());
    const tooDear = (found: Map<string, number>) =>
      SHAPES.filter(({ name }) => (found.get(name) ?? 0) > LIMIT);
    const first = await multiples(service, SHAPES);
    for (const [name, times] of first) t.diagnostic(`${times.toFixed(1)} ${name}`);
    const suspects = tooDear(first);
    // On a busy machine, a single measurement may be wrong.
    const second = await multiples(service, suspects);
    assert.deepEqual(
      tooDear(second).map(({ name }) => [name, first.get(name), second.get(name)]),
      [],
    );
  });
});
