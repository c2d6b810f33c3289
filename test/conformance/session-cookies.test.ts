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
const KEY = 'first-key';

const fixture = useService({ SESSION_SECRET_KEY: KEY, TRUST_PROXY: '1' }, 'redis');

/** A cookie as a replica with our key would issue it. */
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

describe('of several session cookies', () => {
  it('over TLS only the one is read that no other host of the domain can set', async () => {
    const planted = cookieOf(await ask(fixture.url + SEATTLE));
    const own = issued('__Host-session', randomUUID());
    for (const both of [`${planted}; ${own}`, `${own}; ${planted}`]) {
      assert.equal((await visit(weatherOf('Boston', 'USA'), both, TLS)).status, 200);
      assert.deepEqual(await searchesOf(both, TLS), ['Boston']);
    }
    const victim = await visit(weatherOf('Boston', 'USA'), planted, TLS);
    assert.match(cookieOf(victim), /^__Host-session=/);
    assert.deepEqual(await searchesOf(planted), ['Seattle']);
    assert.deepEqual(await searchesOf(cookieOf(victim), TLS), ['Boston']);
    assert.deepEqual(await searchesOf(own), []);
  });

  it('a crowd of foreign ones costs a few signatures, and yields a fresh session', async () => {
    const crowd = Array.from({ length: 500 }, (_, i) => `session=${i}; session.sig=${i}`).join(
      '; ',
    );
    const answer = await visit(SEATTLE, crowd);
    assert.deepEqual([answer.status, answer.cookies.length], [200, 2]);
  });
});

describe('a cookie', () => {
  for (const [name, headers] of [
    ['session', {}],
    ['__Host-session', TLS],
  ] as const) {
    it(`${name} names a session that may never have been stored: its id is kept`, async () => {
      const cookie = issued(name, randomUUID());
      assert.deepEqual(await searchesOf(cookie, headers), []);
      assert.deepEqual((await visit(SEATTLE, cookie, headers)).cookies, []);
      assert.equal((await visit(weatherAt('47.6', '-122.3'), cookie, headers)).status, 200);
      assert.deepEqual(await searchesOf(cookie, headers), ['Seattle']);
    });
  }

  it('names another session after DELETE, and the old one shows nothing that is recorded late', async () => {
    const old = cookieOf(await ask(fixture.url + SEATTLE));
    const cleared = await ask(fixture.url + SEARCHES, {
      method: 'DELETE',
      headers: { Cookie: old },
    });
    const cookie = cookieOf(cleared);
    assert.match(cookie, /^session=[^;]+; session\.sig=/);
    assert.deepEqual(await searchesOf(cookie), []);
    // A search of a request that was on its way.
    await visit(weatherOf('Boston', 'USA'), old);
    assert.deepEqual(await searchesOf(cookie), []);
    await visit(weatherOf('Oslo', 'Norway'), cookie);
    assert.deepEqual(await searchesOf(cookie), ['Oslo']);
  });
});

describe('a page of another site', () => {
  it('writes nothing into a visitor’s list by a navigation or a picture', async () => {
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

  it('may call the API by fetch if its origin is allowed, and a visitor may type the address', async () => {
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
