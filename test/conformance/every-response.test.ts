import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { EXPOSED_HEADERS } from '../../src/http/edge/exposed-headers.js';
import { useService, weatherAt, weatherOf } from '../support/conformance.js';
import { type Answer, ask, type RequestOptions } from '../support/http-client.js';

const APP = 'https://app.example';
const OTHER_APP = 'http://localhost:3000';
const JSON_POLICY = "default-src 'none'; frame-ancestors 'none'";
const SPECIFIED = {
  'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
  'access-control-allow-headers': 'Content-Type, Authorization',
  'access-control-allow-credentials': 'true',
  'access-control-max-age': '3600',
};
const WELL_FORMED_ID = /^[A-Za-z0-9._-]{1,64}$/;

const PREFLIGHT = {
  'Access-Control-Request-Method': 'DELETE',
  'Access-Control-Request-Headers': 'content-type',
};
const LARGE_BODY = {
  method: 'POST',
  body: 'x'.repeat(20_000),
  headers: { 'Content-Type': 'application/json' },
};
const REQUESTS: [status: number, target: string, options: RequestOptions][] = [
  [200, weatherOf('Seattle', 'USA'), {}],
  [200, weatherOf('Seattle', 'USA'), { method: 'HEAD' }],
  [200, weatherAt('47.6', '-122.3'), {}],
  [200, '/api/v1/recent-searches', {}],
  [200, '/api/v1/recent-searches', { method: 'DELETE' }],
  [200, '/api/v1/health/ready', {}],
  [200, '/openapi.json', {}],
  [200, '/apidocs/', {}],
  [301, '/apidocs', {}],
  [304, weatherOf('Seattle', 'USA'), { headers: { 'If-None-Match': '*' } }],
  [204, '/api/v1/weather', { method: 'OPTIONS' }],
  [204, '/apispec.json', { method: 'OPTIONS', headers: PREFLIGHT }],
  [400, '/api/weather', {}],
  [400, weatherOf('Qwxyzzy', 'USA'), {}],
  [400, weatherAt('91', '0'), {}],
  [404, '/nothing', {}],
  [405, '/api/weather', { method: 'PUT' }],
  [413, '/api/weather', LARGE_BODY],
  [503, weatherOf('Tromsø', 'Norway'), {}],
];

function corsHeaders({ headers }: Answer): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => name.startsWith('access-control-')),
  );
}

function assertVaries({ headers }: Answer): void {
  assert.ok((headers.vary ?? '').split(/, */).includes('Origin'), String(headers.vary));
}

function assertGranted(answer: Answer, origin: string): void {
  const { 'access-control-expose-headers': exposed, ...rest } = corsHeaders(answer);
  assert.deepEqual(rest, { 'access-control-allow-origin': origin, ...SPECIFIED });
  assert.equal(exposed, EXPOSED_HEADERS);
  assertVaries(answer);
}

function assertNotGranted(answer: Answer): void {
  assert.deepEqual(corsHeaders(answer), {});
  assertVaries(answer);
}

/** Asserts that API JSON ends with a newline, so that a terminal's prompt begins its own line. */
function assertEndsLine({ headers, json, text }: Answer, target: string): void {
  if (headers['content-security-policy'] !== JSON_POLICY || json === undefined) return;
  assert.ok(text.endsWith('\n'), target);
}

describe('every response', () => {
  const fixture = useService({ CORS_ORIGINS: `${APP}, ${OTHER_APP}`, TRUST_PROXY: '1' });

  before(async () => {
    await ask(fixture.url + weatherOf('Seattle', 'USA'));
    await ask(fixture.url + weatherAt('47.6', '-122.3'));
    fixture.stub.behaveAll({ kind: 'status', status: 503 });
  });

  /** Sends each request with additional headers. */
  async function sendAll(
    headers: Record<string, string>,
    check: (answer: Answer, row: (typeof REQUESTS)[number]) => void,
  ): Promise<void> {
    for (const row of REQUESTS) {
      const [status, target, options] = row;
      const all = { ...options.headers, ...headers };
      const answer = await ask(fixture.url + target, { ...options, headers: all });
      assert.equal(answer.status, status, target);
      check(answer, row);
    }
  }

  it('to an allowed origin has all CORS headers', async () => {
    for (const origin of [APP, OTHER_APP]) {
      await sendAll({ Origin: origin }, (answer) => {
        assertGranted(answer, origin);
      });
    }
  });

  it('to any other origin has no CORS header', async () => {
    await sendAll({}, assertNotGranted);
    for (const origin of [
      'https://app.example.evil.example',
      'https://evilapp.example',
      'https://sub.app.example',
      'http://app.example',
      'https://app.example:8443',
      'https://app.example, https://evil.example',
      'null',
    ]) {
      assertNotGranted(await ask(`${fixture.url}/api/health`, { headers: { Origin: origin } }));
    }
  });

  it('forbids frames and other content; an error or a response to DELETE must not be cached', async () => {
    await sendAll({}, ({ headers }, [status, target, { method }]) => {
      if (target.startsWith('/apidocs')) return;
      assert.equal(headers['x-content-type-options'], 'nosniff', target);
      assert.equal(headers['content-security-policy'], JSON_POLICY, target);
      if (status < 400 && method !== 'DELETE') return;
      assert.equal(headers['cache-control'], 'no-store', target);
    });
  });

  it('has Strict-Transport-Security only over TLS', async () => {
    for (const [scheme, expected] of [
      ['https', 'max-age=31536000'],
      ['https, http', undefined],
    ] as const) {
      await sendAll({ 'X-Forwarded-Proto': scheme }, ({ headers }, [, target]) => {
        assert.equal(headers['strict-transport-security'], expected, target);
      });
    }
  });

  it('ends its JSON with a newline', async () => {
    await sendAll({}, (answer, [, target]) => {
      assertEndsLine(answer, target);
    });
  });

  it('has a request ID of its own if the request has none', async () => {
    const ids = new Set<string>();
    await sendAll({}, ({ headers }, [, target]) => {
      assert.match(String(headers['x-request-id']), WELL_FORMED_ID, target);
      ids.add(String(headers['x-request-id']));
    });
    assert.equal(ids.size, REQUESTS.length);
  });

  const idOf = async (id: string | string[]) => {
    const { headers } = await ask(`${fixture.url}/api/health`, { headers: { 'X-Request-ID': id } });
    return String(headers['x-request-id']);
  };

  it('has the request ID of the request if it is well-formed', async () => {
    for (const id of ['a', 'A-b_c.9', '0'.repeat(64), '..', '-']) assert.equal(await idOf(id), id);
    for (const id of ['', ' ', 'a b', 'a,b', '0'.repeat(65), 'a/b', '{x}', 'é', ['a', 'b']]) {
      const given = await idOf(id);
      assert.notEqual(given, id);
      assert.match(given, WELL_FORMED_ID);
    }
  });
});

describe('a service in development without CORS_ORIGINS', () => {
  const fixture = useService({ CORS_ORIGINS: '' });
  const send = (origin: string, method = 'GET') =>
    ask(`${fixture.url}/api/weather`, { method, headers: { Origin: origin } });

  it('reflects every origin except null', async () => {
    for (const origin of ['http://192.0.2.1:80', 'chrome-extension://abc']) {
      assertGranted(await send(origin), origin);
      assertGranted(await send(origin, 'OPTIONS'), origin);
    }
    for (const origin of [
      'null',
      'nonsense',
      'https://user@app.example',
      'https://app.example/path',
      'https://app.example:99999',
      'https://a.example, https://b.example',
      `https://${'a'.repeat(1000)}`,
    ]) {
      assertNotGranted(await send(origin));
    }
  });
});
