import assert from 'node:assert/strict';
import { METHODS, createServer, ServerResponse, type OutgoingHttpHeaders } from 'node:http';
import { before, describe, it } from 'node:test';
import { createApp } from '../../../src/app.js';
import { noInstruments } from '../../../src/base/instruments.js';
import { appParts } from '../../support/app-parts.js';
import { cookieOf } from '../../support/cookies.js';
import { ask, type RequestOptions } from '../../support/http-client.js';
import { suiteLifetime } from '../../support/lifetime.js';
import { listenLocally } from '../../support/listen-locally.js';

const ORIGIN = 'https://app.example.com';
const SEATTLE = '/api/v1/weather?city=Seattle&country=USA';

/** What was called to write the last response. */
let calls: string[] = [];

class CountedResponse extends ServerResponse {
  override writeHead(status: number, ...rest: never[]): this {
    calls.push('writeHead');
    return super.writeHead(status, ...rest);
  }
  override setHeader(name: string, value: never): this {
    calls.push(`setHeader ${name}`);
    return super.setHeader(name, value);
  }
  override setHeaders(headers: Headers | Map<string, never>): this {
    calls.push('setHeaders');
    return super.setHeaders(headers);
  }
}

describe('the edge', () => {
  const lifetime = suiteLifetime();
  const methods = new Set<string>();
  let shed = 0;
  let url: string;

  before(async () => {
    const parts = await appParts({
      WEATHER_PROVIDERS: 'demo',
      CORS_ORIGINS: ORIGIN,
      RATE_LIMIT_PER_IP: '1000',
      RATE_LIMIT_TOTAL: '0',
    });
    const instruments = {
      ...noInstruments,
      requestServed: ({ method }: { method: string }) => void methods.add(method),
      overloadShed: () => void (shed += 1),
    };
    const app = createApp({ ...parts, services: { ...parts.services, instruments } });
    const handle = app.callback();
    url = await listenLocally(
      lifetime,
      createServer({ ServerResponse: CountedResponse as never }, (request, response) => {
        request.isLate = request.headers['x-is-late'] !== undefined;
        void handle(request, response);
      }),
    );
  });

  async function send(path: string, options: RequestOptions = {}) {
    calls = [];
    return ask(url + path, options);
  }

  it('writes every response by one writeHead', async () => {
    const paths = [
      '/',
      '/none',
      '/api/v1/health',
      '/api/v1/forecast?city=Oslo&country=NO',
      SEATTLE,
    ];
    paths.push('/api/v1/weather?city=Olso&country=Norway', '/api/v1/recent-searches', '/apidocs');
    for (const path of paths) {
      for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS']) {
        await send(path, { method });
        const written = calls.filter((call) => call === 'writeHead');
        assert.equal(written.length, 1, `${method} ${path}`);
      }
    }
  });

  it('sets no single header for a hit of a known session and origin', async () => {
    const cookie = cookieOf(await send(SEATTLE));
    const headers: OutgoingHttpHeaders = { cookie, origin: ORIGIN };
    const options = { headers: headers as Record<string, string> };
    await send(SEATTLE, options);
    const hit = await send(SEATTLE, options);
    assert.equal(hit.headers['x-cache'], 'HIT');
    assert.equal(hit.headers['access-control-allow-origin'], ORIGIN);
    assert.deepEqual(calls, ['writeHead']);
  });

  it('sheds a request that waited too long, and counts it', async () => {
    const options = { headers: { 'x-is-late': '1' } };
    const { status, headers } = await send(SEATTLE, options);
    assert.deepEqual([status, headers['retry-after'], shed], [503, '5', 1]);
    assert.equal((await send('/api/v1/health', options)).status, 200);
    assert.equal(shed, 1);
  });

  it('counts methods that no path has under one name', async () => {
    for (const method of METHODS.filter((each) => each !== 'CONNECT')) {
      for (const path of [SEATTLE, '/none', '/api/v1/health']) await send(path, { method });
    }
    assert.deepEqual([...methods].sort(), ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'POST', 'other']);
  });
});
