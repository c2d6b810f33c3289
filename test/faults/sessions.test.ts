import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cookieOf } from '../support/cookies.js';
import { attempt, type Reply } from '../support/load.js';
import { becomesReady } from '../support/readiness.js';
import { type Stack, startStack } from '../support/stack.js';

const CITIES =
  'Berlin Hamburg Munich Cologne Stuttgart Dresden Leipzig Bremen Hanover Nuremberg'.split(' ');
const MORE = 'Bonn Essen Dortmund Duisburg Kiel Rostock Mainz Kassel Erfurt Potsdam'.split(' ');

const search = (stack: Stack, city: string, cookie = ''): Promise<Reply> =>
  attempt(stack.url(`/api/v1/weather?city=${city}&country=Germany`), {
    headers: cookie ? { cookie } : {},
  });

async function list(stack: Stack, cookie: string): Promise<string[]> {
  const reply = await attempt(stack.url('/api/v1/recent-searches'), { headers: { cookie } });
  assert.equal(reply.status, 200);
  const { recent_searches: searches } = reply.json as {
    recent_searches: { city: string }[];
  };
  return searches.map(({ city }) => city);
}

describe('one session on three replicas', () => {
  it('keeps all of its concurrent searches, each once', async (t) => {
    const stack = await startStack(t, { replicas: 3, workers: 1 });
    const cookie = cookieOf(await search(stack, 'Berlin'));
    const parallel = Array.from({ length: 50 }, (_, n) => CITIES[n % CITIES.length]!);
    const replies = await Promise.all(parallel.map((city) => search(stack, city, cookie)));
    for (const reply of replies) assert.equal(reply.status, 200);
    assert.deepEqual((await list(stack, cookie)).sort(), [...CITIES].sort());

    // Never more than ten, and the last ones.
    await Promise.all(MORE.map((city) => search(stack, city, cookie)));
    assert.deepEqual((await list(stack, cookie)).sort(), [...MORE].sort());
  });

  it('clears everything, also while a search is recorded', async (t) => {
    const stack = await startStack(t, { replicas: 3, workers: 1 });
    const cookie = cookieOf(await search(stack, 'Berlin'));
    for (let round = 0; round < 15; round += 1) {
      for (const city of CITIES.slice(0, 3)) await search(stack, city, cookie);
      const [cleared, racing] = await Promise.all([
        attempt(stack.url('/api/v1/recent-searches'), { method: 'DELETE', headers: { cookie } }),
        search(stack, 'Kiel', cookie),
      ]);
      assert.deepEqual([cleared.status, racing.status], [200, 200]);
      const left = await list(stack, cookie);
      assert.deepEqual(
        left.filter((city) => city !== 'Kiel'),
        [],
      );
    }
  });
});

describe('a session cookie', () => {
  it('is replaced when it is tampered with or invented, and valid when an older key signed it', async (t) => {
    const stack = await startStack(t, {
      replicas: 1,
      workers: 1,
      env: { SESSION_SECRET_KEY: 'old-key' },
    });
    const rotated = await stack.addReplica({ SESSION_SECRET_KEY: 'new-key,old-key' });
    const foreign = await stack.addReplica({ SESSION_SECRET_KEY: 'another-key' });
    for (const replica of stack.replicas) await becomesReady(replica);
    const at = (url: string) => Object.assign({}, stack, { url: (path: string) => url + path });
    const old = at(stack.replicas[0]!.url);
    const cookie = cookieOf(await search(old, 'Berlin'));
    assert.match(cookie, /session=.*session\.sig=/);

    const known = await search(at(rotated.url), 'Hamburg', cookie);
    assert.equal(known.status, 200);
    assert.deepEqual(await list(at(rotated.url), cookie), ['Hamburg', 'Berlin']);

    const invented = 'session=11111111-1111-4111-8111-111111111111';
    for (const [where, bad] of [
      [old, cookie.replace('session=', 'session=x')],
      [old, cookie.replace(/session\.sig=./, 'session.sig=')],
      [old, invented],
      [at(foreign.url), cookie],
    ] as const) {
      const reply = await search(where, 'Munich', bad);
      assert.equal(reply.status, 200);
      const fresh = cookieOf(reply);
      assert.match(fresh, /session=/, `${bad} was accepted`);
      assert.ok(!fresh.includes('11111111-1111'), 'an id of the client’s choice was accepted');
      assert.deepEqual(await list(where, fresh), ['Munich']);
    }
    assert.deepEqual(await list(old, cookie), ['Hamburg', 'Berlin'], 'another’s session was read');
  });
});
