import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../support/eventually.js';
import { placeKey, placePath } from '../support/places.js';
import { searchPath } from '../support/searches.js';
import { PATHS } from '../support/stub-provider.js';
import { startFleet, type Fleet, type Member, type Reply } from './fleet.js';
import { RELEASES } from './releases.js';

/** Different places in all versions of the gazetteer. */
const CITIES = ['Berlin', 'Hamburg', 'Munich', 'Cologne', 'Stuttgart', 'Leipzig', 'Dresden'];
const LIST = '/api/v1/recent-searches';
/** An endpoint of each kind of query. */
const ENDPOINTS = ['/api/v1/weather', '/api/v1/forecast', '/api/v1/forecast/hourly'];
const LIMIT = 10;

function citiesIn({ status, json, summary }: Reply): string[] {
  assert.equal(status, 200, summary);
  return (json as { recent_searches: { city: string }[] }).recent_searches.map(({ city }) => city);
}

/** A browser, which sends the cookie that was set last. */
function browser(fleet: Fleet, client: number) {
  let cookie = '';
  const ask = async (path: string, of: Member[]) => {
    const reply = await fleet.ask(path, { client, of, cookie });
    if (reply.cookie !== '') cookie = reply.cookie;
    assert.equal(reply.status, 200, reply.summary);
    return reply;
  };
  return {
    search: (city: string, of: Member[]) => ask(searchPath(city), of),
    list: async (of: Member[]) => citiesIn(await ask(LIST, of)),
    /** The ID of its session in any format of the cookie. */
    session: () => /session=([\w-]+)/.exec(cookie)?.[1],
  };
}

/** Four clients that send a request 20 ms after each reply, to each replica in turn. */
function startLoad(t: TestContext, fleet: Fleet) {
  const unforeseen: string[] = [];
  let count = 0;
  let stopping = false;
  t.after(() => {
    stopping = true;
  });
  const clients = Array.from({ length: 4 }, async () => {
    while (!stopping) {
      const n = count++;
      const path = n % 3 === 0 ? searchPath(CITIES[n % CITIES.length]!) : placePath(n % 150);
      const reply = await fleet.ask(path, { client: 1000 + n }).catch((error: unknown) => ({
        ...{ status: 0, summary: `${path}: ${String((error as Error).cause ?? error)}` },
      }));
      if (reply.status !== 200) unforeseen.push(reply.summary);
      // If a test fails, nothing stops the load. Its timer must not keep the process alive.
      await sleep(20, undefined, { ref: false });
    }
  });
  return {
    /** Waits until this many more requests were sent. */
    passes: (more: number) => {
      const until = count + more;
      return eventually(() => count >= until, `${more} more requests`);
    },
    async stop() {
      stopping = true;
      await Promise.all(clients);
      assert.ok(count > 4 * REQUESTS, `${count} requests`);
      assert.deepEqual(unforeseen, []);
    },
  };
}

const REQUESTS = 80;
const PLACES = 6;

for (const release of RELEASES) {
  describe(`${release.name} and this version on one Redis`, () => {
    it('answer every request with 200 during an upgrade and a rollback, and share the lists unless their format is new', async (t) => {
      const fleet = await startFleet(t, release);
      const listOf = (newest: string, earlier: string[]) =>
        release.anew.includes('sessions') ? [newest] : [newest, ...earlier];
      await Promise.all([fleet.replica('old'), fleet.replica('old'), fleet.worker('old')]);
      const load = startLoad(t, fleet);
      const browsers = [1, 2, 3].map((n) => browser(fleet, n));
      for (const one of browsers) {
        for (const city of ['Berlin', 'Hamburg', 'Munich']) await one.search(city, fleet.of('old'));
      }
      await load.passes(REQUESTS);

      await Promise.all([fleet.replica('new'), fleet.replica('new'), fleet.worker('new')]);
      await load.passes(REQUESTS);
      for (const member of fleet.of('old')) await fleet.retire(member);
      await load.passes(REQUESTS);
      for (const one of browsers) {
        await one.search('Cologne', fleet.of('new'));
        const expected = listOf('Cologne', ['Munich', 'Hamburg', 'Berlin']);
        assert.deepEqual(await one.list(fleet.of('new')), expected);
      }

      await Promise.all([fleet.replica('old'), fleet.replica('old'), fleet.worker('old')]);
      await load.passes(REQUESTS);
      for (const member of fleet.of('new')) await fleet.retire(member);
      await load.passes(REQUESTS);
      for (const one of browsers) {
        await one.search('Munich', fleet.of('old'));
        const expected = listOf('Munich', ['Cologne', 'Hamburg', 'Berlin']);
        assert.deepEqual(await one.list(fleet.of('old')), expected);
      }
      await load.stop();
    });

    it('share limits, fetches, and sessions as far as their formats are equal', async (t) => {
      const fleet = await startFleet(t, release, { RATE_LIMIT_PER_IP: String(LIMIT) });
      const starts = [fleet.replica('old'), fleet.replica('new')];
      await Promise.all([...starts, fleet.worker('old'), fleet.worker('new')]);

      const times = (what: (typeof release.anew)[0]) => (release.anew.includes(what) ? 2 : 1);
      const replies = await Promise.all(
        Array.from({ length: 6 * LIMIT }, () => fleet.ask(placePath(99), { client: 1 })),
      );
      const admitted = replies.filter(({ status }) => status === 200);
      assert.equal(admitted.length, times('windows') * LIMIT);
      const others = replies.filter((reply) => !admitted.includes(reply));
      assert.deepEqual(
        others.filter(({ status }) => status !== 429),
        [],
      );

      for (const [index, endpoint] of ENDPOINTS.entries()) {
        const pathOf = (n: number) => placePath(n).replace('/api/v1/weather', endpoint);
        // A release may lack an endpoint.
        const first = await fleet.ask(pathOf(0), { client: 100, of: fleet.of('old') });
        if (first.status === 404) continue;
        // Several places, so that the worker of each version fetches some.
        const places = Array.from({ length: PLACES }, (_, n) => 1 + PLACES * index + n);
        const herd = await Promise.all(
          Array.from({ length: 60 }, (_, n) =>
            fleet.ask(pathOf(places[n % PLACES]!), { client: 100 + n }),
          ),
        );
        assert.deepEqual(
          herd.filter(({ status }) => status !== 200),
          [],
        );
        // Versions with equal formats share the entries.
        for (const place of places) {
          const fetches = fleet.upstream.count(PATHS.openMeteo, placeKey(place));
          assert.ok(fetches >= 1 && fetches <= times('fetches'), `${endpoint}: ${fetches} fetches`);
        }
      }

      const one = browser(fleet, 200);
      for (const version of ['old', 'new', 'old', 'new'] as const) {
        await one.search('Berlin', fleet.of(version));
        assert.deepEqual(await one.list(fleet.of(version)), ['Berlin']);
      }
    });
  });
}
