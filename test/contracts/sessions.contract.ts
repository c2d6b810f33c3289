import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Sessions } from '../../src/weather/searches.js';

export interface SessionsUnderTest {
  sessions: Sessions;
  advance: (ms: number) => Promise<void>;
}

/** Lives of a session in these tests. */
export const LIVES = { ttlSeconds: 300, unconfirmedTtlSeconds: 100 };

let ids = 0;
const newId = () => `session-${(ids += 1)}`;
const city = (name: string) => ({ city: name, country: 'Norway' });
const search = (placeKey: string, name: string) => ({ placeKey, ...city(name) });
const CONFIRMED = { issuedAt: 17, confirmed: true };
const UNCONFIRMED = { issuedAt: 17, confirmed: false };

/** What every adapter of the port does. */
export function sessionsContract(adapter: string, create: () => SessionsUnderTest): void {
  describe(`sessions: ${adapter}`, () => {
    /** A session that has no searches yet. */
    async function begin() {
      const { sessions, advance } = create();
      const id = newId();
      await sessions.save(id, CONFIRMED);
      return { sessions, advance, id };
    }

    it('that was saved tells when its cookie was issued, and one that never was is gone', async () => {
      const { sessions } = create();
      const id = newId();
      assert.equal(await sessions.record(id), undefined);
      assert.equal(await sessions.record(id, search('a', 'Oslo')), undefined);
      for (const issuedAt of [17, 1_795_230_000_000]) {
        await sessions.save(id, { issuedAt, confirmed: true });
        assert.equal(await sessions.record(id), issuedAt);
        assert.equal(await sessions.record(id, search('a', 'Oslo')), issuedAt);
      }
      await sessions.save(id, UNCONFIRMED);
      assert.equal(await sessions.record(id, search('b', 'Bergen')), UNCONFIRMED.issuedAt);
    });

    it('lists searches newest first', async () => {
      const { sessions, id } = await begin();
      await sessions.record(id, search('a', 'Oslo'));
      await sessions.record(id, search('b', 'Bergen'));
      assert.deepEqual(await sessions.searches(id), [city('Bergen'), city('Oslo')]);
    });

    it('saves a search together with a session, new or not', async () => {
      const { sessions } = create();
      const id = newId();
      await sessions.save(id, UNCONFIRMED, search('a', 'Oslo'));
      await sessions.save(id, { issuedAt: 18, confirmed: true }, search('b', 'Bergen'));
      assert.equal(await sessions.record(id), 18);
      assert.deepEqual(await sessions.searches(id), [city('Bergen'), city('Oslo')]);
    });

    it('keeps the searches of a session that is saved without one', async () => {
      const { sessions, id } = await begin();
      await sessions.record(id, search('a', 'Oslo'));
      await sessions.save(id, CONFIRMED);
      assert.deepEqual(await sessions.searches(id), [city('Oslo')]);
    });

    it('moves a repeat to the front in its newest spelling', async () => {
      const { sessions, id } = await begin();
      await sessions.record(id, search('a', 'Tromso'));
      await sessions.record(id, search('b', 'Bergen'));
      await sessions.record(id, search('a', 'Tromsø'));
      assert.deepEqual(await sessions.searches(id), [city('Tromsø'), city('Bergen')]);
      await sessions.record(id, search('a', 'TROMSØ'));
      assert.deepEqual(await sessions.searches(id), [city('TROMSØ'), city('Bergen')]);
    });

    it('keeps apart places whose keys begin alike', async () => {
      const { sessions, id } = await begin();
      await sessions.record(id, search('weather:1.0000:1.00', 'Oslo'));
      await sessions.record(id, search('weather:1.0000:1.0', 'Bergen'));
      assert.equal((await sessions.searches(id)).length, 2);
    });

    it('drops the oldest at the eleventh', async () => {
      const { sessions, id } = await begin();
      for (let i = 1; i <= 11; i += 1) await sessions.record(id, search(`key-${i}`, `City ${i}`));
      const names = (await sessions.searches(id)).map((found) => found.city);
      assert.deepEqual(
        names,
        Array.from({ length: 10 }, (_, i) => `City ${11 - i}`),
      );
    });

    it('keeps all of many concurrent searches', async () => {
      const { sessions, id } = await begin();
      const names = Array.from({ length: 10 }, (_, i) => `City ${i}`);
      await Promise.all(names.map((name, i) => sessions.record(id, search(`key-${i}`, name))));
      const listed = (await sessions.searches(id)).map((found) => found.city);
      assert.deepEqual(listed.sort(), names);
    });

    it('keeps every character of a search', async () => {
      const { sessions, id } = await begin();
      const odd = { city: 'L’Haÿ-les-Roses, 北京 \'"?%\t', country: 'Türkiye\u2028' };
      await sessions.record(id, { placeKey: 'a%-?', ...odd });
      await sessions.record(id, { placeKey: 'a%-?', ...odd });
      assert.deepEqual(await sessions.searches(id), [odd]);
    });

    it('clears one session and no other', async () => {
      const { sessions, id } = await begin();
      const other = newId();
      await sessions.save(other, CONFIRMED, search('a', 'Oslo'));
      await sessions.record(id, search('a', 'Oslo'));
      await sessions.clearSearches(id);
      assert.deepEqual(await sessions.searches(id), []);
      assert.equal(await sessions.record(id), CONFIRMED.issuedAt);
      assert.equal((await sessions.searches(other)).length, 1);
    });

    it('brings no session back that is gone', async () => {
      const { sessions } = create();
      const id = newId();
      await sessions.record(id, search('a', 'Oslo'));
      await sessions.clearSearches(id);
      assert.deepEqual(await sessions.searches(id), []);
      assert.equal(await sessions.record(id), undefined);
    });

    it('ends with its life', async () => {
      const { sessions, advance } = create();
      const id = newId();
      await sessions.save(id, CONFIRMED, search('a', 'Oslo'));
      await advance(LIVES.ttlSeconds * 1000 + 200);
      assert.deepEqual(await sessions.searches(id), []);
      assert.equal(await sessions.record(id), undefined);
    });

    it('has a short life until its cookie has come back, with a search, without one, or for the list', async () => {
      const { sessions, advance } = create();
      const [abandoned, ...kept] = [newId(), newId(), newId(), newId()];
      for (const id of [abandoned, ...kept]) {
        await sessions.save(id, UNCONFIRMED, search('a', 'Oslo'));
      }
      await sessions.record(kept[0]);
      await sessions.record(kept[1], search('a', 'Oslo'));
      await sessions.searches(kept[2]);
      await advance(LIVES.unconfirmedTtlSeconds * 1000 + 200);
      assert.equal(await sessions.record(abandoned), undefined);
      assert.deepEqual(await sessions.searches(abandoned), []);
      for (const id of kept) {
        assert.deepEqual(await sessions.searches(id), [city('Oslo')]);
        assert.equal(await sessions.record(id), UNCONFIRMED.issuedAt);
      }
    });

    it('is given no longer life by anything but a search once it is confirmed', async () => {
      const { sessions, advance, id } = await begin();
      await advance(LIVES.ttlSeconds * 600);
      await sessions.record(id);
      await sessions.searches(id);
      await advance(LIVES.ttlSeconds * 600);
      assert.equal(await sessions.record(id), undefined);
    });

    it('lives on after a search, with its earlier searches', async () => {
      const { sessions, advance, id } = await begin();
      await sessions.record(id, search('a', 'Oslo'));
      await advance(LIVES.ttlSeconds * 600);
      await sessions.record(id, search('b', 'Bergen'));
      await advance(LIVES.ttlSeconds * 600);
      assert.equal(await sessions.record(id), CONFIRMED.issuedAt);
      assert.equal((await sessions.searches(id)).length, 2);
    });

    it('is not given a longer life by a clearing', async () => {
      const { sessions, advance } = create();
      const id = newId();
      await sessions.save(id, UNCONFIRMED, search('a', 'Oslo'));
      await sessions.clearSearches(id);
      await advance(LIVES.unconfirmedTtlSeconds * 1000 + 200);
      assert.equal(await sessions.record(id), undefined);
    });
  });
}
