import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import Keygrip from 'keygrip';
import { useService, weatherAt, weatherOf } from '../support/conformance.js';
import { cookieOf } from '../support/cookies.js';
import { ask } from '../support/http-client.js';

const SEATTLE = weatherOf('Seattle', 'USA');
const SEARCHES = '/api/v1/recent-searches';
const TLS = { 'X-Forwarded-Proto': 'https' };
/** The older one of two keys: it verifies cookies, the other key signs new ones. */
const KEY = 'first-key';

const fixture = useService({ SESSION_SECRET_KEY: `a-newer-key,${KEY}`, TRUST_PROXY: '1' }, 'redis');

/** A cookie as a replica with `KEY` issues it. */
function issued(name: string, id: string): string {
  const value = `${id}.${Date.now()}`;
  const signature = new Keygrip([KEY], 'sha256').sign(`${name}=${value}`);
  return `${name}=${value}; ${name}.sig=${signature}`;
}

const visit = (target: string, cookie: string, headers: Record<string, string> = {}) =>
  ask(fixture.url + target, { headers: { Cookie: cookie, ...headers } });

async function searchesOf(cookie: string, headers = {}): Promise<string[]> {
  const { json } = await visit(SEARCHES, cookie, headers);
  return (json as { recent_searches: { city: string }[] }).recent_searches.map(({ city }) => city);
}

describe('a cookie', () => {
  for (const [name, headers] of [
    ['session', {}],
    ['__Host-session', TLS],
  ] as const) {
    it(`${name} keeps its session ID, although nothing is stored for it`, async () => {
      const cookie = issued(name, randomUUID());
      assert.deepEqual(await searchesOf(cookie, headers), []);
      assert.deepEqual((await visit(SEATTLE, cookie, headers)).cookies, []);
      assert.equal((await visit(weatherAt('47.6', '-122.3'), cookie, headers)).status, 200);
      assert.deepEqual(await searchesOf(cookie, headers), ['Seattle']);
    });
  }

  it('has a new session ID after DELETE, which shows no late recording under the old ID', async () => {
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
    await visit(weatherOf('Oslo', 'Norway'), cookie);
    assert.deepEqual(await searchesOf(cookie), ['Oslo']);
  });
});

describe('a page of another site', () => {
  it('adds nothing to the list of a visitor by a navigation or a picture', async () => {
    const cookie = cookieOf(await ask(fixture.url + SEATTLE));
    for (const site of ['cross-site', 'same-site']) {
      for (const mode of ['navigate', 'no-cors']) {
        const headers = { 'Sec-Fetch-Site': site, 'Sec-Fetch-Mode': mode };
        const answer = await visit(weatherOf('Oslo', 'Norway'), cookie, headers);
        assert.equal(answer.status, 200);
      }
    }
    assert.deepEqual(await searchesOf(cookie), ['Seattle']);
  });

  it('adds searches by fetch() if its origin is allowed, as a typed address does', async () => {
    const cookie = cookieOf(await ask(fixture.url + SEATTLE));
    const byFetch = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'cors' };
    const origin = { Origin: 'https://app.example' };
    await visit(weatherOf('Oslo', 'Norway'), cookie, { ...byFetch, ...origin });
    await visit(weatherOf('Porto', 'Portugal'), cookie, { ...byFetch, Origin: 'null' });
    const typed = { 'Sec-Fetch-Site': 'none', 'Sec-Fetch-Mode': 'navigate' };
    await visit(weatherOf('Boston', 'USA'), cookie, typed);
    assert.deepEqual(await searchesOf(cookie), ['Boston', 'Oslo', 'Seattle']);
  });
});
