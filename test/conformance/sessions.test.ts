import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { useService, weatherAt, weatherOf } from '../support/conformance.js';
import { cookieOf } from '../support/cookies.js';
import { eventually } from '../support/eventually.js';
import { type Answer, ask } from '../support/http-client.js';
import { startReplica } from '../support/service.js';

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

it('session: every admitted weather request establishes a session, also one that fails', async () => {
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

it('session: no other request establishes one', async () => {
  for (const target of ['/api/health', SEARCHES, '/apispec.json', '/apidocs/', '/nowhere']) {
    assert.deepEqual((await ask(fixture.url + target)).cookies, [], target);
  }
  assert.deepEqual((await ask(fixture.url + SEARCHES, { method: 'DELETE' })).cookies, []);
  assert.deepEqual((await ask(`${fixture.url}/api/weather`, { method: 'OPTIONS' })).cookies, []);
});

it('session: over plain HTTP the cookie is HttpOnly and Lax, and not Secure', async () => {
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

it('session: without a trusted proxy X-Forwarded-Proto changes nothing', async () => {
  const answer = await ask(fixture.url + SEATTLE, { headers: { 'X-Forwarded-Proto': 'https' } });
  assert.doesNotMatch(answer.cookies.join(), /secure|none/i);
});

it('session: a known session keeps its cookie: none is issued again', async () => {
  const cookie = cookieOf(await ask(fixture.url + SEATTLE));
  const again = await withCookie(fixture.url, SEATTLE, cookie);
  assert.deepEqual(again.cookies, []);
  const list = await withCookie(fixture.url, SEARCHES, cookie);
  assert.deepEqual(list.json, { recent_searches: [{ city: 'Seattle', country: 'USA' }] });
});

describe('a cookie that is not ours', () => {
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
    it(`${what} yields a fresh session, never an error or another's list`, async () => {
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

  it('well signed but unknown here goes on under its id', async () => {
    const other = await startReplica({
      SESSION_SECRET_KEY: 'first-key',
      WEATHER_PROVIDERS: 'demo',
    });
    try {
      const foreign = cookieOf(await ask(other.url + SEATTLE));
      const answer = await withCookie(fixture.url, SEATTLE, foreign);
      assert.deepEqual([answer.status, answer.cookies], [200, []]);
      const list = await withCookie(fixture.url, SEARCHES, foreign);
      assert.deepEqual(list.json, { recent_searches: [{ city: 'Seattle', country: 'USA' }] });
    } finally {
      other.kill('SIGKILL');
      await other.exited;
    }
  });
});

describe('behind a proxy that ends TLS', () => {
  let url = '';
  before(async () => {
    ({ url } = await fixture.replica({ TRUST_PROXY: '1', SESSION_SECRET_KEY: 'old' }));
  });
  const TLS = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-For': '203.0.113.7' };

  it('session: the cookie is Secure and SameSite=None, for cross-site clients', async () => {
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

  it('session: a client that came over plain HTTP gets a Lax one', async () => {
    for (const proto of ['http', 'https, http', '', 'nonsense']) {
      const answer = await ask(url + SEATTLE, {
        headers: { ...TLS, 'X-Forwarded-Proto': proto },
      });
      assert.deepEqual(attributes(answer.cookies[0] ?? '').slice(4), ['samesite=lax'], proto);
    }
  });

  it('session: an old key verifies, the first key signs when the cookie is issued again, and an unknown key is rejected', async () => {
    // A cookie is issued again after a twentieth of its TTL.
    const rotated = await fixture.replica({
      TRUST_PROXY: '1',
      SESSION_SECRET_KEY: 'new,old',
      SESSION_TTL_SECONDS: '20',
    });
    const after = await fixture.replica({ TRUST_PROXY: '1', SESSION_SECRET_KEY: 'new' });
    const first = await ask(url + SEATTLE, { headers: TLS });
    const old = cookieOf(first);

    const list = await withCookie(rotated.url, SEARCHES, old, TLS);
    assert.deepEqual(list.json, { recent_searches: [{ city: 'Seattle', country: 'USA' }] });
    assert.deepEqual(list.cookies, [], 'reading the list does not change the cookie');

    let search = list;
    await eventually(async () => {
      search = await withCookie(rotated.url, weatherOf('Boston', 'USA'), old, TLS);
      return search.cookies.length > 0;
    }, 'a new cookie');
    // Both cookies have all attributes: without them, a browser would drop one.
    assert.deepEqual(search.cookies.map(attributes), first.cookies.map(attributes));
    const renewed = cookieOf(search);
    assert.notEqual(renewed, old);

    const later = await withCookie(after.url, SEARCHES, renewed, TLS);
    assert.deepEqual(later.json, {
      recent_searches: [
        { city: 'Boston', country: 'USA' },
        { city: 'Seattle', country: 'USA' },
      ],
    });
    const rejected = await withCookie(after.url, SEARCHES, old, TLS);
    assert.deepEqual(rejected.json, { recent_searches: [] });
  });
});

it('session: it expires after its TTL', async () => {
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

it('session: in production over plain HTTP the cookie works, and each process warns once', async () => {
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
