import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TimedSearch, Session, Sessions } from '../../src/weather/recent-searches.js';
import { fc } from '../support/properties.js';

export interface SessionsUnderTest {
  sessions: Sessions;
  advance: (ms: number) => Promise<void>;
}

/** The TTLs of the sessions. */
export const TTLS = { ttlSeconds: 300, unconfirmedTtlSeconds: 100 };

let ids = 0;
const newSession = (): Session => ({ id: `session-${(ids += 1)}`, confirmed: true });
const city = (name: string) => ({ city: name, country: 'Norway' });
let lastAnswerUs = Date.UTC(2026, 0) * 1000;
/** A search that is answered after all earlier ones. */
const search = (placeKey: string, name: string): TimedSearch => ({
  ...{ placeKey, ...city(name), respondedAtUs: (lastAnswerUs += 1) },
});
const OSLO = search('a', 'Oslo');
const BERGEN = search('b', 'Bergen');

const FIRST_ANSWER_US = Date.UTC(2026, 0) * 1000;
/**
 * Keys that begin like others, more places than a list has, and times that are often equal: then
 * the greater spelling of a place is the newer one.
 */
const RECORDED = fc
  .record({ place: fc.integer({ min: 1, max: 15 }), at: fc.nat(30), spelling: fc.nat(2) })
  .map(({ place, at, spelling }) => ({
    ...{ placeKey: `key-${place}`, city: `City ${place}, ${spelling}`, country: 'Norway' },
    respondedAtUs: FIRST_ANSWER_US + at,
  }));
/** Recordings, and the same ones in another order, some of them twice. */
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

function expectedOf(recordings: readonly TimedSearch[]): string[] {
  const order = (a: TimedSearch, b: TimedSearch) =>
    b.respondedAtUs - a.respondedAtUs || (a.city < b.city ? 1 : -1);
  const sorted = [...recordings].sort(order);
  const isFirst = ({ placeKey }: TimedSearch, n: number) =>
    sorted.findIndex((other) => other.placeKey === placeKey) === n;
  return sorted
    .filter(isFirst)
    .slice(0, 10)
    .map((search) => search.city);
}

/** The tests that every adapter of the port passes. */
export function sessionsContract(adapter: string, create: () => SessionsUnderTest): void {
  describe(`sessions: ${adapter}`, () => {
    function begin() {
      const { sessions, advance } = create();
      const session = newSession();
      const list = () => sessions.searches(session.id);
      return { sessions, advance, session, list };
    }

    it('lists each place once in its newest spelling, newest first, after any permutation and repetition of the recordings', async () => {
      const { sessions } = create();
      async function listOf(recorded: readonly TimedSearch[]): Promise<string[]> {
        const session = newSession();
        await Promise.all(recorded.map((one) => sessions.record(session, one)));
        return (await sessions.searches(session.id)).map((found) => found.city);
      }
      const property = fc.asyncProperty(RECORDINGS, async ({ once, permuted }) => {
        const listed = await listOf(once);
        assert.deepEqual(await listOf(permuted), listed);
        assert.deepEqual(listed, expectedOf(once));
      });
      await fc.assert(property);
    });

    it('keeps every character of a search', async () => {
      const { sessions, session, list } = begin();
      assert.deepEqual(await list(), []);
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

    it('expires after its TTL, and is written again under its ID', async () => {
      const { sessions, advance, session, list } = begin();
      await sessions.record(session, OSLO);
      await advance(TTLS.ttlSeconds * 1000 + 200);
      assert.deepEqual(await list(), []);
      await sessions.record(session, BERGEN);
      assert.deepEqual(await list(), [city('Bergen')]);
    });

    it('has a short TTL until the client returns its cookie: with a search, without one, or for the list', async () => {
      const { sessions, advance } = create();
      const all = [newSession(), newSession(), newSession(), newSession()] as const;
      for (const session of all) await sessions.record({ ...session, confirmed: false }, OSLO);
      const [abandoned, withSearch, without, forList] = all;
      await sessions.record(withSearch, OSLO);
      await sessions.record(without);
      await sessions.searches(forList.id);
      await advance(TTLS.unconfirmedTtlSeconds * 1000 + 200);
      assert.deepEqual(await sessions.searches(abandoned.id), []);
      for (const { id } of [withSearch, without, forList]) {
        assert.deepEqual(await sessions.searches(id), [city('Oslo')]);
      }
    });

    it('stays confirmed, also after a first search that is recorded late', async () => {
      const { sessions, advance, session, list } = begin();
      await sessions.record(session, OSLO);
      await sessions.record({ ...session, confirmed: false }, BERGEN);
      await advance(TTLS.unconfirmedTtlSeconds * 1000 + 200);
      assert.deepEqual(await list(), [city('Bergen'), city('Oslo')]);
    });

    for (const confirmedFirst of [true, false]) {
      it(`is confirmed by one of two searches at the same time: the ${confirmedFirst ? 'first' : 'second'}`, async () => {
        const { sessions, advance, session, list } = begin();
        await Promise.all([
          sessions.record({ ...session, confirmed: confirmedFirst }, OSLO),
          sessions.record({ ...session, confirmed: !confirmedFirst }, BERGEN),
        ]);
        await advance(TTLS.unconfirmedTtlSeconds * 1000 + 200);
        assert.deepEqual(await list(), [city('Bergen'), city('Oslo')]);
      });
    }

    it('has its TTL renewed only by searches after it is confirmed', async () => {
      const { sessions, advance, session, list } = begin();
      await sessions.record(session, OSLO);
      await advance(TTLS.ttlSeconds * 600);
      await sessions.record(session);
      await list();
      await advance(TTLS.ttlSeconds * 600);
      assert.deepEqual(await list(), []);
    });

    it('has its TTL renewed by each search, also by a repeat of the newest one', async () => {
      const { sessions, advance, session, list } = begin();
      await sessions.record(session, OSLO);
      for (const next of [BERGEN, { ...BERGEN, respondedAtUs: BERGEN.respondedAtUs + 1 }]) {
        await advance(TTLS.ttlSeconds * 600);
        await sessions.record(session, next);
      }
      await advance(TTLS.ttlSeconds * 600);
      assert.deepEqual(await list(), [city('Bergen'), city('Oslo')]);
    });
  });
}
