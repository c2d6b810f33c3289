import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useService, weatherOf } from '../support/conformance.js';
import { type Answer, ask, type RequestOptions } from '../support/http-client.js';
import { raw } from '../support/raw-request.js';

const APP = 'https://app.example';
const SPECIFIED = {
  'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
  'access-control-allow-headers': 'Content-Type, Authorization',
  'access-control-allow-credentials': 'true',
  'access-control-max-age': '3600',
};
const EXPOSED = (
  'X-RateLimit-Limit X-RateLimit-Remaining X-RateLimit-Reset RateLimit-Policy RateLimit ' +
  'Retry-After X-Request-ID X-Cache Age ETag X-Weather-Provider X-Weather-Attribution ' +
  'X-Weather-Code X-Weather-Is-Day'
).split(' ');

function corsHeaders({ headers }: Answer): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => name.startsWith('access-control-')),
  );
}

function assertGranted(answer: Answer, origin: string): void {
  const { 'access-control-expose-headers': exposed, ...rest } = corsHeaders(answer);
  assert.deepEqual(rest, { 'access-control-allow-origin': origin, ...SPECIFIED });
  assert.deepEqual(String(exposed).split(', ').sort(), [...EXPOSED].sort());
  assertVaries(answer);
}

function assertNotGranted(answer: Answer): void {
  assert.deepEqual(corsHeaders(answer), {});
  assertVaries(answer);
}

function assertVaries({ headers }: Answer): void {
  assert.ok((headers.vary ?? '').split(/, */).includes('Origin'), String(headers.vary));
}

const PREFLIGHT = {
  'Access-Control-Request-Method': 'DELETE',
  'Access-Control-Request-Headers': 'content-type',
};
const COMMON: [status: number, target: string, options: RequestOptions][] = [
  [200, weatherOf('Seattle', 'USA'), {}],
  [200, weatherOf('Seattle', 'USA'), { method: 'HEAD' }],
  [200, '/api/v1/recent-searches', {}],
  [200, '/api/v1/recent-searches', { method: 'DELETE' }],
  [200, '/api/health', {}],
  [200, '/api/v1/health/ready', {}],
  [200, '/apispec.json', {}],
  [200, '/apidocs/', {}],
  [301, '/apidocs', {}],
  [304, weatherOf('Seattle', 'USA'), { headers: { 'If-None-Match': '*' } }],
  [204, '/api/v1/weather', { method: 'OPTIONS' }],
  [204, '/api/v1/recent-searches', { method: 'OPTIONS', headers: PREFLIGHT }],
  [204, '/apispec.json', { method: 'OPTIONS', headers: PREFLIGHT }],
  [400, '/api/weather', {}],
  [400, weatherOf('Qwxyzzy', 'USA'), {}],
  [404, '/nothing', {}],
  [405, '/api/weather', { method: 'PUT' }],
  [
    413,
    '/api/weather',
    { method: 'POST', body: 'x'.repeat(20_000), headers: { 'Content-Type': 'application/json' } },
  ],
  [503, weatherOf('Tromsø', 'Norway'), {}],
];

const from = (origin: string | undefined, options: RequestOptions): RequestOptions =>
  origin === undefined ? options : { ...options, headers: { ...options.headers, Origin: origin } };

describe('a service with named origins', () => {
  const fixture = useService({ CORS_ORIGINS: `${APP}, http://localhost:3000` });

  /** Fails the weather of one place, and no other. */
  const failTromso = () => {
    for (const path of ['/v1/forecast', '/weatherapi/locationforecast/2.0/compact']) {
      fixture.stub.behave(path, { kind: 'status', status: 503 });
    }
  };

  it('sends all CORS headers with every response to an allowed origin', async () => {
    await ask(fixture.url + weatherOf('Seattle', 'USA'));
    failTromso();
    for (const [status, target, options] of COMMON) {
      for (const origin of [APP, 'http://localhost:3000']) {
        const answer = await ask(fixture.url + target, from(origin, options));
        assert.equal(answer.status, status, target);
        assertGranted(answer, origin);
      }
    }
  });

  it('sends no CORS header to any other origin', async () => {
    const others = [
      ...'https://evil.example https://app.example.evil.example https://evilapp.example'.split(' '),
      ...'https://sub.app.example http://app.example https://app.example:8443 * file://'.split(' '),
      ...'https://app.example/ https://APP.example https://app_example http://localhost'.split(' '),
      ...['null', 'https://app.exampl', 'https://app.example, https://evil.example', undefined],
    ];
    for (const origin of others) {
      // Each is served: it is the browser that hides the answer.
      for (const [status, target, options] of COMMON.slice(0, -1)) {
        const answer = await ask(fixture.url + target, from(origin, options));
        assert.equal(answer.status, status, target);
        assertNotGranted(answer);
      }
    }
  });
});

describe('a service in development without CORS_ORIGINS', () => {
  const fixture = useService({ CORS_ORIGINS: '' });

  it('reflects every origin except null', async () => {
    for (const origin of [
      APP,
      'http://localhost:5173',
      'http://192.0.2.1:80',
      'chrome-extension://abc',
    ]) {
      assertGranted(await ask(`${fixture.url}/api/weather`, from(origin, {})), origin);
      assertGranted(
        await ask(`${fixture.url}/api/weather`, from(origin, { method: 'OPTIONS' })),
        origin,
      );
    }
    for (const origin of [
      ...['null', '', 'nonsense', '*', 'https://', 'https://user@app.example', 'https://[::g]'],
      ...['https://app.example/path', 'https://app.example?query', 'https://app.example#part'],
      ...['https://app.example:port', 'https://app.example:99999', 'https://app.example\\evil'],
      ...['https://<script>', 'https://a.example, https://b.example', 'javascript:alert()'],
    ]) {
      assertNotGranted(await ask(`${fixture.url}/api/weather`, from(origin, {})));
    }
    assertNotGranted(await ask(`${fixture.url}/api/weather`));
  });

  it('does not let an origin split a header', async () => {
    const answer = await raw(
      fixture.url,
      'GET /api/health HTTP/1.1\r\nHost: x\r\nOrigin: https://a\u00e9\u0001b\r\nConnection: close\r\n\r\n',
    );
    assert.doesNotMatch(answer, /access-control/i);
  });
});

describe('a service in production', () => {
  const fixture = useService({ NODE_ENV: 'production', CORS_ORIGINS: '*' }, 'redis');

  it('with * reflects the origin, never a wildcard, and logs one warning at its start', async () => {
    assertGranted(await ask(`${fixture.url}/api/health`, from(APP, {})), APP);
    assertNotGranted(await ask(`${fixture.url}/api/health`, from('null', {})));
    const warnings = fixture.service.of('cors_all_origins');
    assert.deepEqual(
      warnings.map(({ level }) => level),
      ['WARNING'],
    );
  });
});
