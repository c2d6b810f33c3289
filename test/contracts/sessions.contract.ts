import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RecentSearches, SessionStore } from '../../src/weather/searches.js';

export interface SessionsUnderTest {
  sessions: SessionStore;
  searches: RecentSearches;
  advance: (ms: number) => Promise<void>;
}

/** Life of a session in these tests. */
export const TTL_SECONDS = 2;

let ids = 0;
const newId = () => `session-${(ids += 1)}`;
const city = (name: string) => ({ city: name, country: 'Norway' });

/** What every adapter of the two ports does. */
export function sessionsContract(adapter: string, create: () => SessionsUnderTest): void {
  describe(`sessions: ${adapter}`, () => {
    it('knows a session after it was set, and not after it was destroyed', async () => {
      const { sessions } = create();
      const id = newId();
      assert.equal(await sessions.get(id), undefined);
      await sessions.set(id, { issuedAt: 17 });
      assert.deepEqual(await sessions.get(id), { issuedAt: 17 });
      await sessions.destroy(id);
      assert.equal(await sessions.get(id), undefined);
    });

    it('lists searches newest first', async () => {
      const { searches } = create();
      const id = newId();
      await searches.add(id, 'a', city('Oslo'));
      await searches.add(id, 'b', city('Bergen'));
      assert.deepEqual(await searches.list(id), [city('Bergen'), city('Oslo')]);
    });

    it('moves a repeat to the front in its newest spelling', async () => {
      const { searches } = create();
      const id = newId();
      await searches.add(id, 'a', city('Tromso'));
      await searches.add(id, 'b', city('Bergen'));
      await searches.add(id, 'a', city('Tromsø'));
      assert.deepEqual(await searches.list(id), [city('Tromsø'), city('Bergen')]);
    });

    it('takes a place whose key begins like another for another', async () => {
      const { searches } = create();
      const id = newId();
      await searches.add(id, 'weather:1.0000:1.00', city('Oslo'));
      await searches.add(id, 'weather:1.0000:1.0', city('Bergen'));
      assert.equal((await searches.list(id)).length, 2);
    });

    it('drops the oldest at the eleventh', async () => {
      const { searches } = create();
      const id = newId();
      for (let i = 1; i <= 11; i += 1) await searches.add(id, `key-${i}`, city(`City ${i}`));
      const names = (await searches.list(id)).map((search) => search.city);
      assert.deepEqual(
        names,
        Array.from({ length: 10 }, (_, i) => `City ${11 - i}`),
      );
    });

    it('keeps all of many concurrent searches', async () => {
      const { searches } = create();
      const id = newId();
      const names = Array.from({ length: 10 }, (_, i) => `City ${i}`);
      await Promise.all(names.map((name, i) => searches.add(id, `key-${i}`, city(name))));
      const listed = (await searches.list(id)).map((search) => search.city);
      assert.deepEqual(listed.sort(), names);
    });

    it('keeps every character of a search', async () => {
      const { searches } = create();
      const id = newId();
      const search = { city: 'L’Haÿ-les-Roses, 北京 \'"', country: 'Türkiye\u2028' };
      await searches.add(id, 'a', search);
      assert.deepEqual(await searches.list(id), [search]);
    });

    it('clears one session and no other', async () => {
      const { searches } = create();
      const [one, other] = [newId(), newId()];
      await searches.add(one, 'a', city('Oslo'));
      await searches.add(other, 'a', city('Oslo'));
      await searches.clear(one);
      assert.deepEqual(await searches.list(one), []);
      assert.equal((await searches.list(other)).length, 1);
    });

    it('ends with its life', async () => {
      const { sessions, searches, advance } = create();
      const id = newId();
      await sessions.set(id, { issuedAt: 1 });
      await searches.add(id, 'a', city('Oslo'));
      await advance(TTL_SECONDS * 1000 + 200);
      assert.equal(await sessions.get(id), undefined);
      assert.deepEqual(await searches.list(id), []);
    });

    it('lives on after a search, with its earlier searches', async () => {
      const { sessions, searches, advance } = create();
      const id = newId();
      await sessions.set(id, { issuedAt: 1 });
      await searches.add(id, 'a', city('Oslo'));
      await advance(TTL_SECONDS * 600);
      await searches.add(id, 'b', city('Bergen'));
      await advance(TTL_SECONDS * 600);
      assert.deepEqual(await sessions.get(id), { issuedAt: 1 });
      assert.equal((await searches.list(id)).length, 2);
    });
  });
}
