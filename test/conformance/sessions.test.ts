import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { useService, weatherAt, weatherOf } from '../support/conformance.js';
import { cookieOf } from '../support/cookies.js';
import { eventually } from '../support/eventually.js';
import { type Answer, ask } from '../support/http-client.js';

const SEATTLE = weatherOf('Seattle', 'USA');
const SEARCHES = '/api/v1/recent-searches';

/** A cookie's name and its attributes, in lower case and without the time of its end. */
function attributes(cookie: string): string[] {
  const [pair = '', ...rest] = cookie.split('; ');
  const names = rest.map((attribute) => attribute.toLowerCase().replace(/^expires=.*/, 'expires'));
  return [pair.split('=')[0] ?? '', ...names.sort()];
}

function expiry(answer: Answer): number {
  return Date.parse(/expires=([^;]+)/i.exec(answer.cookies[0] ?? '')?.[1] ?? '');
}

function withCookie(
  url: string,
  target: string,
  cookie: string,
  headers: Record<string, string> = {},
) {
  return ask(url + target, { headers: { Cookie: cookie, ...headers } });
}

const fixture = useService({ SESSION_SECRET_KEY: 'first-key' }, 'redis');

it('every admitted weather request starts a session, also one that fails', async () => {
  for (const [target, status] of [
    [SEATTLE, 200],
    ['/api/weather', 400],
    [weatherOf('Qwxyzzy', 'USA'), 400],
    [weatherAt('47.6', '-122.3'), 200],
    [weatherAt('x', 'y'), 400],
  ] as const) {
    const answer = await ask(fixture.url + target);
    assert.equal(answer.status, status);
    assert.deepEqual(
      answer.cookies.map((cookie) => attributes(cookie)[0]),
      ['session', 'session.sig'],
      target,
    );
  }
  const posted = await ask(`${fixture.url}/api/v1/weather`, { method: 'POST', body: '{' });
  assert.equal(posted.cookies.length, 2);
  const head = await ask(fixture.url + SEATTLE, { method: 'HEAD' });
  assert.equal(head.cookies.length, 2);
});

it('no request except for weather starts a session', async () => {
  for (const target of ['/api/health', SEARCHES, '/apispec.json', '/apidocs/', '/nowhere']) {
    assert.deepEqual((await ask(fixture.url + target)).cookies, [], target);
  }
  assert.deepEqual((await ask(fixture.url + SEARCHES, { method: 'DELETE' })).cookies, []);
  assert.deepEqual((await ask(`${fixture.url}/api/weather`, { method: 'OPTIONS' })).cookies, []);
});

it('the session cookie is HttpOnly and Lax over plain HTTP, and not Secure', async () => {
  const answer = await ask(fixture.url + SEATTLE);
  for (const cookie of answer.cookies) {
    assert.deepEqual(attributes(cookie).slice(1), [
      'expires',
      'httponly',
      'path=/',
      'samesite=lax',
    ]);
  }
  const life = expiry(answer) - Date.now();
  assert.ok(life > 86_300_000 && life <= 86_400_000, String(life));
});

it('the session cookie ignores X-Forwarded-Proto without a trusted proxy', async () => {
  const answer = await ask(fixture.url + SEATTLE, { headers: { 'X-Forwarded-Proto': 'https' } });
  assert.doesNotMatch(answer.cookies.join(), /secure|none/i);
});

describe('an invalid session cookie', () => {
  const forged: Record<string, (cookie: string) => string> = {
    'with another id': (cookie) =>
      cookie.replace(/(?<=session=)./, (one) => (one === '_' ? '-' : '_')),
    'with another signature': (cookie) => cookie.replace(/sig=.{3}/, 'sig=abc'),
    'without a signature': (cookie) => cookie.split(';')[0] ?? '',
    'with an empty signature': (cookie) => cookie.replace(/sig=.*/, 'sig='),
    'of an attacker': () => 'session=00000000-0000-4000-8000-000000000000; session.sig=x',
    'of nonsense': () => 'session={"a":1}; session.sig=%00\u00ff',
    'of a prototype': () => 'session=__proto__; session.sig=constructor',
    'of 8 KB': () => `session=${'a'.repeat(8000)}; session.sig=b`,
  };
  for (const [what, forge] of Object.entries(forged)) {
    it(`${what} leads to a new session, never to an error or to the list of another session`, async () => {
      const victim = cookieOf(await ask(fixture.url + SEATTLE));
      const headers = { Cookie: forge(victim) };
      const list = await ask(fixture.url + SEARCHES, { headers });
      assert.deepEqual([list.status, list.json], [200, { recent_searches: [] }]);
      const cleared = await ask(fixture.url + SEARCHES, { method: 'DELETE', headers });
      assert.equal(cleared.status, 200);
      const answer = await ask(fixture.url + weatherOf('Boston', 'USA'), { headers });
      assert.deepEqual([answer.status, answer.cookies.length], [200, 2]);
      const own = await withCookie(fixture.url, SEARCHES, cookieOf(answer));
      assert.deepEqual(own.json, { recent_searches: [{ city: 'Boston', country: 'USA' }] });
      const victims = await withCookie(fixture.url, SEARCHES, victim);
      assert.deepEqual(victims.json, { recent_searches: [{ city: 'Seattle', country: 'USA' }] });
    });
  }
});

describe('a session behind a proxy that terminates TLS', () => {
  let url = '';
  before(async () => {
    ({ url } = await fixture.replica({ TRUST_PROXY: '1', SESSION_SECRET_KEY: 'old' }));
  });
  const TLS = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-For': '203.0.113.7' };

  it('has a cookie that is Secure and SameSite=None, for cross-site clients', async () => {
    const crossSite = ['expires', 'httponly', 'partitioned', 'path=/'];
    crossSite.push('samesite=none', 'secure');
    for (const proto of ['https', 'HTTPS', 'http, https']) {
      const answer = await ask(url + SEATTLE, {
        headers: { ...TLS, 'X-Forwarded-Proto': proto },
      });
      assert.equal(answer.status, 200);
      assert.deepEqual(answer.cookies.map(attributes), [
        ['__Host-session', ...crossSite],
        ['__Host-session.sig', ...crossSite],
      ]);
      const list = await withCookie(url, SEARCHES, cookieOf(answer), TLS);
      assert.deepEqual(list.json, { recent_searches: [{ city: 'Seattle', country: 'USA' }] });
    }
  });

  it('has a Lax cookie if the client uses plain HTTP', async () => {
    for (const proto of ['http', 'https, http', '', 'nonsense']) {
      const answer = await ask(url + SEATTLE, {
        headers: { ...TLS, 'X-Forwarded-Proto': proto },
      });
      assert.deepEqual(attributes(answer.cookies[0] ?? '').slice(4), ['samesite=lax'], proto);
    }
  });
});

it('a session expires after its TTL', async () => {
  const { url } = await fixture.replica({ SESSION_TTL_SECONDS: '5' });
  const first = await ask(url + SEATTLE);
  const cookie = cookieOf(first);
  assert.ok(expiry(first) - Date.now() <= 5000);
  const list = await withCookie(url, SEARCHES, cookie);
  assert.deepEqual(list.json, { recent_searches: [{ city: 'Seattle', country: 'USA' }] });
  await eventually(async () => {
    const { json } = await withCookie(url, SEARCHES, cookie);
    return (json as { recent_searches: unknown[] }).recent_searches.length === 0;
  }, 'the end of the session');
});

it('a session in production over plain HTTP works, and each process logs one warning', async () => {
  const service = await fixture.replica({
    NODE_ENV: 'production',
    SESSION_SECRET_KEY: 'production-'.repeat(3),
  });
  for (let time = 0; time < 3; time += 1) {
    const answer = await ask(`${service.url}/api/weather`);
    assert.deepEqual(attributes(answer.cookies[0] ?? '').slice(4), ['samesite=lax']);
  }
  await eventually(() => service.of('weather_request').length === 3, 'three records');
  const warnings = service.of('insecure_session_cookie');
  assert.deepEqual(
    warnings.map(({ level }) => level),
    ['WARNING'],
  );
});
