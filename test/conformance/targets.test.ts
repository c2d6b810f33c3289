import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { useService, weatherOf } from '../support/conformance.js';
import { ask } from '../support/http-client.js';
import { closed } from '../support/raw-request.js';

const ORIGIN = 'https://app.example';
const WEATHER = weatherOf('Oslo', 'Norway');
/** A query of this number of bytes, with one additional parameter. */
const padded = (bytes: number) => `${WEATHER}&x=`.padEnd('/api/v1/weather?'.length + bytes, 'x');
const named = (parameters: number) => WEATHER + '&a'.repeat(parameters - 2);

const fixture = useService({ TRUST_PROXY: '1', RATE_LIMIT_PER_IP: '3' });

let clients = 0;
/** Sends each target unchanged, from a different client. */
function get(target: string, headers: Record<string, string> = {}) {
  clients += 1;
  const all = { 'X-Forwarded-For': `192.0.2.${clients}`, ...headers };
  return ask(fixture.url + target, { headers: all });
}

/** Sends a target without checking the response: the API description has none of these targets. */
async function bare(target: string, id: string): Promise<string> {
  const socket = connect(Number(new URL(fixture.url).port), '127.0.0.1');
  let answer = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => (answer += chunk));
  const lines = `Host: x\r\nX-Request-ID: ${id}\r\nOrigin: ${ORIGIN}\r\nConnection: close\r\n`;
  socket.write(`GET ${target} HTTP/1.1\r\n${lines}\r\n`);
  await closed(socket);
  return answer;
}

describe('a request target', () => {
  it('that is no valid URL is rejected with all headers of an error, and leaves one record', async () => {
    for (const [index, target] of [
      'http://[::1',
      'http://a:b/{"level":"ERROR"}',
      'HTTP://[x]:y/api/v1/health',
      `http://${'a'.repeat(301)}/`,
    ].entries()) {
      const id = `target-${index}`;
      const answer = await bare(target, id);
      assert.match(answer, /^HTTP\/1\.1 400 Bad Request\r\n/, target);
      assert.match(answer, new RegExp(`\\r\\nX-Request-ID: ${id}\\r\\n`));
      assert.match(answer, /\r\nAccess-Control-Allow-Origin: https:\/\/app\.example\r\n/);
      assert.match(answer, /\{"error":"Bad request","message":"[^"]+"\}\n$/);
      await fixture.service.waitFor('request', ({ request_id }) => request_id === id);
      const records = fixture.service.records.filter(({ request_id }) => request_id === id);
      assert.deepEqual(
        records.map(({ level, event, status }) => [level, event, status]),
        [['WARNING', 'request', 400]],
      );
    }
    assert.deepEqual(fixture.service.noise, []);
  });

  it('is routed by its path', async () => {
    for (const target of [
      `http://${'a'.repeat(300)}/api/v1/health`,
      'HTTP://user@[::1]:80/api/v1/health?x',
      'ws://a/api/v1/health',
      '/api/v1/health#part',
      '/api/v1/health?#?',
    ]) {
      assert.match(await bare(target, 'any'), /^HTTP\/1\.1 200 OK\r\n/, target);
    }
    for (const target of ['*', '//a:b@[/', '/%', '/api/weather/../health']) {
      assert.match(await bare(target, 'any'), /^HTTP\/1\.1 404 Not Found\r\n/, target);
    }
  });
});

describe('a query', () => {
  it('may have 2 KiB and 50 parameters, and no more', async () => {
    for (const target of [padded(2048), named(50)]) {
      const { status, json } = await get(target);
      assert.equal(status, 200, JSON.stringify(json));
    }
    const paths = [
      '/api/v1/weather/coordinates',
      '/api/v1/places',
      '/api/v1/recent-searches',
      '/api/v1/health',
      '/nowhere',
    ];
    for (const target of [
      padded(2049),
      named(51),
      ...paths.map((path) => path + '?' + 'a&'.repeat(50)),
    ]) {
      const { status, json } = await get(target);
      const message = 'The query must not exceed 2 KiB and 50 parameters';
      assert.deepEqual([status, json], [400, { error: 'Bad request', message }], target);
    }
  });

  it('that is rejected on a weather path counts, and is logged as a weather request', async () => {
    const from = { 'X-Forwarded-For': '198.51.100.9', 'X-Request-ID': 'too-long' };
    const statuses: number[] = [];
    for (let n = 0; n < 4; n += 1) statuses.push((await get(named(51), from)).status);
    assert.deepEqual(statuses, [400, 400, 400, 429]);
    await fixture.service.waitFor(
      'weather_request',
      ({ status, request_id }) => request_id === 'too-long' && status === 429,
    );
    const records = fixture.service
      .of('weather_request')
      .filter(({ request_id }) => request_id === 'too-long');
    assert.deepEqual(
      records.map(({ level, path, city }) => [level, path, city]),
      Array(4).fill(['WARNING', '/api/v1/weather', null]),
    );
  });
});
