import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useService, weatherAt, weatherOf } from '../support/conformance.js';
import { ask, type RequestOptions } from '../support/http-client.js';

const fixture = useService({ TRUST_PROXY: '1', RATE_LIMIT_PER_IP: '100' });
const JSON_POLICY = "default-src 'none'; frame-ancestors 'none'";
const SEARCHES = '/api/v1/recent-searches';
const POST: RequestOptions = { method: 'POST', headers: { 'Content-Type': 'application/json' } };

const ANSWERS: [status: number, target: string, options?: RequestOptions][] = [
  [200, weatherOf('Seattle', 'USA')],
  [200, weatherAt('47.6', '-122.3')],
  [304, weatherOf('Seattle', 'USA'), { headers: { 'If-None-Match': '*' } }],
  [200, SEARCHES],
  [200, '/api/health'],
  [200, '/api/v1/health/live'],
  [200, '/api/v1/health/ready'],
  [200, '/apispec.json'],
  [200, '/openapi.json'],
  [204, '/api/health', { method: 'OPTIONS' }],
];
const UNKEPT: typeof ANSWERS = [
  [200, SEARCHES, { method: 'DELETE' }],
  [400, '/api/weather'],
  [400, weatherOf('Qwxyzzy', 'USA')],
  [400, weatherAt('91', '0')],
  [404, '/nothing'],
  [405, '/api/weather', { method: 'PUT' }],
  [413, '/api/weather', { ...POST, body: 'x'.repeat(20_000) }],
];

describe('responses to browsers', () => {
  it('each JSON response forbids frames, other content, and other types', async () => {
    for (const [status, target, options] of [...ANSWERS, ...UNKEPT]) {
      const answer = await ask(fixture.url + target, options);
      assert.equal(answer.status, status, target);
      assert.equal(answer.headers['x-content-type-options'], 'nosniff', target);
      assert.equal(answer.headers['content-security-policy'], JSON_POLICY, target);
    }
  });

  it('an error and a response to DELETE must not be cached', async () => {
    for (const [status, target, options] of UNKEPT) {
      const answer = await ask(fixture.url + target, options);
      assert.deepEqual([answer.status, answer.headers['cache-control']], [status, 'no-store']);
    }
  });

  it('only a response over TLS has Strict-Transport-Security', async () => {
    for (const [, target, options] of [...ANSWERS, ...UNKEPT]) {
      for (const [scheme, expected] of [
        ['https', 'max-age=31536000'],
        ['https, http', undefined],
        ['http', undefined],
        [undefined, undefined],
      ]) {
        const headers = {
          ...options?.headers,
          ...(scheme ? { 'X-Forwarded-Proto': scheme } : {}),
        };
        const answer = await ask(fixture.url + target, { ...options, headers });
        assert.equal(answer.headers['strict-transport-security'], expected, target);
      }
    }
  });
});
