import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useService, weatherAt, weatherOf } from '../support/conformance.js';
import { cookieOf } from '../support/cookies.js';
import { eventually } from '../support/eventually.js';
import { forecastOf } from '../support/forecasts.js';
import { type Answer, ask } from '../support/http-client.js';

const SEATTLE = weatherOf('Seattle', 'USA');
const OSLO = weatherOf('Oslo', 'Norway');
const SEARCHES = '/api/v1/recent-searches';
const TLS = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-For': '203.0.113.7' };

const fixture = useService({ TRUST_PROXY: '1' }, 'redis');

/** A cookie's name and its attributes, in lower case and without the time of its end. */
function attributes(cookie: string): string[] {
  const [pair = '', ...rest] = cookie.split('; ');
  const names = rest.map((attribute) => attribute.toLowerCase().replace(/^expires=.*/, 'expires'));
  return [pair.split('=')[0] ?? '', ...names.sort()];
}

function expiry(answer: Answer): number {
  return Date.parse(/expires=([^;]+)/i.exec(answer.cookies[0] ?? '')?.[1] ?? '');
}

const visit = (target: string, cookie: string, headers: Record<string, string> = {}) =>
  ask(fixture.url + target, { headers: { Cookie: cookie, ...headers } });

/** The cities of the recent searches. */
async function searchesOf(cookie: string, headers = {}, url = fixture.url): Promise<string[]> {
  const { status, json } = await ask(url + SEARCHES, { headers: { Cookie: cookie, ...headers } });
  assert.equal(status, 200);
  return (json as { recent_searches: { city: string }[] }).recent_searches.map(({ city }) => city);
}

describe('a session', () => {
  it('starts with every admitted weather request, even if it fails', async () => {
    for (const [target, options, status] of [
      [SEATTLE, {}, 200],
      ['/api/weather', { method: 'POST', body: '{' }, 400],
      [weatherAt('47.6', '-122.3'), {}, 200],
    ] as const) {
      const answer = await ask(fixture.url + target, options);
      assert.equal(answer.status, status);
      const names = answer.cookies.map((cookie) => attributes(cookie)[0]);
      assert.deepEqual(names, ['session', 'session.sig'], target);
    }
  });

  it('starts with no other request', async () => {
    const forecast = forecastOf('Seattle', 'USA');
    const others = ['/api/health', SEARCHES, '/apispec.json', '/apidocs/', '/nowhere'];
    for (const target of [forecast, ...others]) {
      assert.deepEqual((await ask(fixture.url + target)).cookies, [], target);
    }
    assert.deepEqual((await ask(fixture.url + SEARCHES, { method: 'DELETE' })).cookies, []);
    assert.deepEqual((await ask(`${fixture.url}/api/weather`, { method: 'OPTIONS' })).cookies, []);
  });

  it('has a cookie that is HttpOnly and Lax over plain HTTP, and not Secure', async () => {
    const headers = { 'X-Forwarded-Proto': 'http' };
    const answer = await ask(fixture.url + SEATTLE, { headers });
    for (const cookie of answer.cookies) {
      const expected = ['expires', 'httponly', 'path=/', 'samesite=lax'];
      assert.deepEqual(attributes(cookie).slice(1), expected);
    }
    const life = expiry(answer) - Date.now();
    assert.ok(life > 86_300_000 && life <= 86_400_000, String(life));
  });

  it('has a cookie that is Secure and SameSite=None over TLS, for cross-site clients', async () => {
    const answer = await ask(fixture.url + SEATTLE, { headers: TLS });
    const names = ['expires', 'httponly', 'partitioned', 'path=/', 'samesite=none', 'secure'];
    assert.deepEqual(answer.cookies.map(attributes), [
      ['__Host-session', ...names],
      ['__Host-session.sig', ...names],
    ]);
    assert.deepEqual(await searchesOf(cookieOf(answer), TLS), ['Seattle']);
  });

  it('has a new ID after DELETE, and shows no late recording under the old ID', async () => {
    const old = cookieOf(await ask(fixture.url + SEATTLE));
    const cleared = await ask(fixture.url + SEARCHES, {
      method: 'DELETE',
      headers: { Cookie: old },
    });
    const cookie = cookieOf(cleared);
    assert.match(cookie, /^session=[^;]+; session\.sig=/);
    assert.deepEqual(await searchesOf(cookie), []);
    // The search of a request that was in flight.
    await visit(weatherOf('Boston', 'USA'), old);
    assert.deepEqual(await searchesOf(cookie), []);
    await visit(OSLO, cookie);
    assert.deepEqual(await searchesOf(cookie), ['Oslo']);
  });
});

describe('a process in production', () => {
  it('logs one warning each for sessions over plain HTTP and for CORS_ORIGINS=*', async () => {
    const service = await fixture.replica({
      NODE_ENV: 'production',
      CORS_ORIGINS: '*',
      SESSION_SECRET_KEY: 'production-'.repeat(3),
    });
    const headers = { Origin: 'https://app.example' };
    for (let time = 0; time < 3; time += 1) {
      const answer = await ask(`${service.url}/api/weather`, { headers });
      assert.deepEqual(attributes(answer.cookies[0] ?? '').slice(4), ['samesite=lax']);
      assert.equal(answer.headers['access-control-allow-origin'], 'https://app.example');
    }
    await eventually(() => service.of('weather_request').length === 3, 'three records');
    for (const event of ['insecure_session_cookie', 'cors_all_origins']) {
      const levels = service.of(event).map(({ level }) => level);
      assert.deepEqual(levels, ['WARNING'], event);
    }
  });
});

describe('a page of another site', () => {
  it('adds no search, unless its origin is allowed; the own page and a typed address add them', async () => {
    const cookie = cookieOf(await ask(fixture.url + SEATTLE));
    for (const headers of [
      { 'Sec-Fetch-Site': 'cross-site', Origin: 'null' },
      { 'Sec-Fetch-Site': 'same-site' },
    ]) {
      assert.equal((await visit(weatherOf('Porto', 'Portugal'), cookie, headers)).status, 200);
    }
    const Origin = 'https://app.example';
    await visit(OSLO, cookie, { 'Sec-Fetch-Site': 'cross-site', Origin });
    await visit(weatherOf('Boston', 'USA'), cookie, { 'Sec-Fetch-Site': 'none' });
    await visit(weatherOf('Lima', 'Peru'), cookie, { 'Sec-Fetch-Site': 'same-origin' });
    assert.deepEqual(await searchesOf(cookie), ['Lima', 'Boston', 'Oslo', 'Seattle']);
  });
});
