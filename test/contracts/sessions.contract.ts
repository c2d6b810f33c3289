import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AnsweredSearch, Session, Sessions } from '../../src/recent-searches.js';
import { fc } from '../support/properties.js';

export interface SessionsUnderTest {
  sessions: Sessions;
  advance: (ms: number) => Promise<void>;
}

/** Lives of a session in these tests. */
export const LIVES = { ttlSeconds: 300, unconfirmedTtlSeconds: 100 };

let ids = 0;
const newSession = (): Session => ({ id: `session-${(ids += 1)}`, confirmed: true });
const city = (name: string) => ({ city: name, country: 'Norway' });
let lastInstantUs = Date.UTC(2026, 0) * 1000;
/** A search that is answered after those that were made before. */
const search = (placeKey: string, name: string): AnsweredSearch => ({
  ...{ placeKey, ...city(name), instantUs: (lastInstantUs += 1) },
});
const OSLO = search('a', 'Oslo');
const BERGEN = search('b', 'Bergen');

const FIRST_INSTANT_US = Date.UTC(2026, 0) * 1000;
/** Instants are equal often, and the greater spelling of a place is the newer one of them. */
const RECORDED = fc
  .record({ place: fc.integer({ min: 10, max: 24 }), at: fc.nat(30), spelling: fc.nat(2) })
  .map(({ place, at, spelling }) => ({
    ...{ placeKey: `key-${place}`, city: `City ${place}, ${spelling}`, country: 'Norway' },
    instantUs: FIRST_INSTANT_US + at,
  }));
/** Recordings, and the same in another order and some of them twice. */
const RECORDINGS = fc
  .array(RECORDED, { maxLength: 30 })
  .chain((once) =>
    fc.tuple(
      fc.constant(once),
      fc.shuffledSubarray(once, { minLength: once.length }),
      fc.shuffledSubarray(once),
    ),
  )
  .map(([once, all, again]) => ({ once, permuted: [...all, ...again] }));

function expectedOf(recordings: readonly AnsweredSearch[]): string[] {
  const order = (a: AnsweredSearch, b: AnsweredSearch) =>
    b.instantUs - a.instantUs || (a.city < b.city ? 1 : -1);
  const sorted = [...recordings].sort(order);
  const isFirst = ({ placeKey }: AnsweredSearch, n: number) =>
    sorted.findIndex((other) => other.placeKey === placeKey) === n;
  return sorted
    .filter(isFirst)
    .slice(0, 10)
    .map((search) => search.city);
}

/** What every adapter of the port does. */
export function sessionsContract(adapter: string, create: () => SessionsUnderTest): void {
  describe(`sessions: ${adapter}`, () => {
    function begin() {
      const { sessions, advance } = create();
      const session = newSession();
      const list = () => sessions.searches(session.id);
      return { sessions, advance, session, list };
    }

    it('says that a search can be recorded', () => {
      const { sessions, session } = begin();
      assert.equal(sessions.canRecord(session.id), true);
    });

    it('lists searches newest first, and none of a session that nobody knows', async () => {
      const { sessions, session, list } = begin();
      assert.deepEqual(await list(), []);
      await sessions.record(session, OSLO);
      await sessions.record(session, BERGEN);
      assert.deepEqual(await list(), [city('Bergen'), city('Oslo')]);
    });

    it('moves a repeat to the front in its newest spelling', async () => {
      const { sessions, session, list } = begin();
      await sessions.record(session, search('a', 'Tromso'));
      await sessions.record(session, BERGEN);
      await sessions.record(session, search('a', 'Tromsø'));
      assert.deepEqual(await list(), [city('Tromsø'), city('Bergen')]);
      await sessions.record(session, search('a', 'TROMSØ'));
      assert.deepEqual(await list(), [city('TROMSØ'), city('Bergen')]);
    });

    it('keeps apart places whose keys begin alike', async () => {
      const { sessions, session, list } = begin();
      await sessions.record(session, search('weather:1.0000:1.00', 'Oslo'));
      await sessions.record(session, search('weather:1.0000:1.0', 'Bergen'));
      assert.equal((await list()).length, 2);
    });

    it('drops the oldest at the eleventh', async () => {
      const { sessions, session, list } = begin();
      for (let i = 1; i <= 11; i += 1) {
        await sessions.record(session, search(`key-${i}`, `City ${i}`));
      }
      assert.deepEqual(
        (await list()).map((found) => found.city),
        Array.from({ length: 10 }, (_, i) => `City ${11 - i}`),
      );
    });

    it('keeps all of many concurrent searches of many sessions, each in its order', async () => {
      const { sessions } = begin();
      const many = Array.from({ length: 100 }, newSession);
      const names = Array.from({ length: 10 }, (_, i) => `City ${i}`);
      const recordings = names.flatMap((name, i) =>
        many.map((session) => sessions.record(session, search(`key-${i}`, name))),
      );
      await Promise.all(recordings);
      for (const { id } of many) {
        const listed = (await sessions.searches(id)).map((found) => found.city);
        assert.deepEqual(listed, [...names].reverse());
      }
    });

    it('orders searches by the instants of their responses, not by their arrival', async () => {
      const { sessions, session, list } = begin();
      const [oslo, bergen, again] = [OSLO, BERGEN, search('a', 'OSLO')];
      for (const recorded of [again, bergen, oslo]) await sessions.record(session, recorded);
      assert.deepEqual(await list(), [city('OSLO'), city('Bergen')]);
    });

    it('drops a late search that is older than ten others', async () => {
      const { sessions, session, list } = begin();
      const all = Array.from({ length: 11 }, (_, i) => search(`key-${i}`, `City ${i}`));
      for (const recorded of [...all.slice(1), all[0]!]) await sessions.record(session, recorded);
      assert.deepEqual(
        (await list()).map((found) => found.city),
        Array.from({ length: 10 }, (_, i) => `City ${10 - i}`),
      );
    });

    it('lists the same after any permutation and repetition of the recordings', async () => {
      const { sessions } = create();
      async function listOf(recorded: readonly AnsweredSearch[]): Promise<string[]> {
        const session = newSession();
        await Promise.all(recorded.map((one) => sessions.record(session, one)));
        return (await sessions.searches(session.id)).map((found) => found.city);
      }
      const property = fc.asyncProperty(RECORDINGS, async ({ once, permuted }) => {
        const listed = await listOf(once);
        assert.deepEqual(await listOf(permuted), listed);
        assert.deepEqual(listed, expectedOf(once));
      });
      await fc.assert(property, { numRuns: 200 });
    });

    it('keeps every character of a search', async () => {
      const { sessions, session, list } = begin();
      const odd = { city: 'L’Haÿ-les-Roses, 北京 \'"?%\t', country: 'Türkiye\u2028' };
      await sessions.record(session, { ...search('a%-?', ''), ...odd });
      await sessions.record(session, { ...search('a%-?', ''), ...odd });
      assert.deepEqual(await list(), [odd]);
    });

    it('clears one session and no other', async () => {
      const { sessions, session, list } = begin();
      const other = newSession();
      await sessions.record(other, OSLO);
      await sessions.record(session, OSLO);
      await sessions.clearSearches(session.id);
      assert.deepEqual(await list(), []);
      assert.equal((await sessions.searches(other.id)).length, 1);
      await sessions.record(session, BERGEN);
      assert.deepEqual(await list(), [city('Bergen')]);
    });

    it('ends with its life, and is written again under its id', async () => {
      const { sessions, advance, session, list } = begin();
      await sessions.record(session, OSLO);
      await advance(LIVES.ttlSeconds * 1000 + 200);
      assert.deepEqual(await list(), []);
      await sessions.record(session, BERGEN);
      assert.deepEqual(await list(), [city('Bergen')]);
    });

    it('has a short life until its cookie has come back, with a search, without one, or for the list', async () => {
      const { sessions, advance } = create();
      const all = [newSession(), newSession(), newSession(), newSession()] as const;
      for (const session of all) await sessions.record({ ...session, confirmed: false }, OSLO);
      const [abandoned, withSearch, without, forList] = all;
      await sessions.record(withSearch, OSLO);
      await sessions.record(without);
      await sessions.searches(forList.id);
      await advance(LIVES.unconfirmedTtlSeconds * 1000 + 200);
      assert.deepEqual(await sessions.searches(abandoned.id), []);
      for (const { id } of [withSearch, without, forList]) {
        assert.deepEqual(await sessions.searches(id), [city('Oslo')]);
      }
    });

    it('stays confirmed, also by a first search that comes late', async () => {
      const { sessions, advance, session, list } = begin();
      await sessions.record(session, OSLO);
      await sessions.record({ ...session, confirmed: false }, BERGEN);
      await advance(LIVES.unconfirmedTtlSeconds * 1000 + 200);
      assert.deepEqual(await list(), [city('Bergen'), city('Oslo')]);
    });

    it('takes no space without a search', async () => {
      const { sessions, advance, session, list } = begin();
      await sessions.record({ ...session, confirmed: false });
      await sessions.record(session);
      await advance(1);
      assert.deepEqual(await list(), []);
    });

    it('is given no longer life by anything but a search once it is confirmed', async () => {
      const { sessions, advance, session, list } = begin();
      await sessions.record(session, OSLO);
      await advance(LIVES.ttlSeconds * 600);
      await sessions.record(session);
      await list();
      await advance(LIVES.ttlSeconds * 600);
      assert.deepEqual(await list(), []);
    });

    it('lives on after a search, with its earlier searches', async () => {
      const { sessions, advance, session, list } = begin();
      await sessions.record(session, OSLO);
      await advance(LIVES.ttlSeconds * 600);
      await sessions.record(session, BERGEN);
      await advance(LIVES.ttlSeconds * 600);
      assert.equal((await list()).length, 2);
    });
  });
}
