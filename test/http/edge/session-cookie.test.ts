import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import Keygrip from 'keygrip';
import Koa from 'koa';
import type { RequestState } from '../../../src/http/context.js';
import { createSessions } from '../../../src/http/edge/session-cookie.js';
import { createMemorySessions } from '../../../src/memory/memory-sessions.js';
import { nextIteration } from '../../support/eventually.js';
import { listenLocally } from '../../support/listen-locally.js';
import { manualClock } from '../../support/manual-clock.js';

const LIVES = { ttlSeconds: 1000, unconfirmedTtlSeconds: 40 };
const OSLO = { placeKey: 'oslo', city: 'Oslo', country: 'Norway' };

/** An app whose only route records a search. */
async function start(
  t: TestContext,
  options: {
    records?: boolean;
    canRecord?: () => boolean;
    record?: () => Promise<void>;
    continues?: () => void;
    secure?: () => boolean;
    keys?: string[];
  } = {},
) {
  const clock = manualClock();
  clock.advance(1);
  const store = createMemorySessions({ clock, ttls: LIVES, maxSessions: 100 });
  const calls: string[] = [];
  const app = new Koa<RequestState>();
  app.keys = new Keygrip(options.keys ?? ['key'], 'sha256');
  const sessions = createSessions(app, {
    store: {
      ...store,
      canRecord: options.canRecord ?? (() => true),
      lost: () => calls.push('lost'),
      async record(recorded, search) {
        calls.push(`${search ? 'search' : 'no search'}${recorded.confirmed ? '' : ', first'}`);
        await options.record?.();
        await store.record(recorded, search);
      },
    },
    ttls: LIVES,
    warnInsecure: undefined,
    clock,
  });
  app.use(async (ctx) => {
    Object.assign(ctx.state, { corsHeaders: [], secure: options.secure?.() ?? false });
    const confirms = await sessions.open(ctx, ctx.method === 'GET' ? 'establish' : 'existing');
    await sessions.close(ctx, confirms, (options.records ?? true) ? OSLO : undefined);
    options.continues?.();
    ctx.body = 'ok';
  });
  const url = await listenLocally(t, app.callback());
  async function ask(cookie?: string, method = 'GET') {
    calls.length = 0;
    const response = await fetch(url, { method, headers: cookie ? { cookie } : {} });
    await response.text();
    const lines = response.headers.getSetCookie();
    const cookies = lines.map((line) => line.split(';')[0]);
    return { status: response.status, cookie: cookies.join('; '), lines, calls: [...calls] };
  }
  return { ask, clock };
}

/** The ID and the time of issue in a cookie. */
function dataOf(cookie: string) {
  const [, id, issuedAt] = /session=([\w-]+)\.(\d+)/.exec(cookie) ?? [];
  return { id, issuedAt: Number(issuedAt) };
}

const idOf = (cookie: string) => dataOf(cookie).id;

/** A cookie with this value and a valid signature. */
function signed(value: string): string {
  return `session=${value}; session.sig=${new Keygrip(['key'], 'sha256').sign(`session=${value}`)}`;
}

describe('a session', () => {
  it('begins with an ID of 144 bits and the time of issue, and needs no further cookie', async (t) => {
    const { ask, clock } = await start(t);
    const first = await ask();
    assert.match(first.cookie, /^session=[^;]+; session\.sig=/);
    assert.match(String(idOf(first.cookie)), /^[\w-]{24}$/);
    assert.equal(dataOf(first.cookie).issuedAt, clock.now());
    assert.deepEqual(first.calls, ['search, first']);
    for (let time = 0; time < 3; time += 1) {
      const { cookie, calls } = await ask(first.cookie);
      assert.deepEqual([cookie, calls], ['', ['search']]);
    }
  });

  it('has its search in the store before the request continues', async (t) => {
    const events: string[] = [];
    const { ask } = await start(t, {
      record: async () => {
        await nextIteration();
        events.push('recorded');
      },
      continues: () => events.push('continues'),
    });
    await ask();
    assert.deepEqual(events, ['recorded', 'continues']);
  });

  it('without a search is not written to the store until the client returns its cookie', async (t) => {
    const { ask, clock } = await start(t, { records: false });
    const first = await ask();
    assert.notEqual(first.cookie, '');
    assert.deepEqual(first.calls, []);
    assert.deepEqual((await ask(first.cookie)).calls, ['no search']);
    // By now it is confirmed, or it has expired.
    clock.advance(LIVES.unconfirmedTtlSeconds * 1000);
    assert.deepEqual((await ask(first.cookie)).calls, []);
    // A renewed cookie renews the TTL in the store, too.
    clock.advance(LIVES.ttlSeconds * 51);
    assert.deepEqual((await ask(first.cookie)).calls, ['no search']);
  });

  it('of a cookie that was tampered with, or has another format, is a new one', async (t) => {
    const { ask } = await start(t);
    const { cookie } = await ask();
    const tampered = [
      `${cookie}x`,
      cookie.replace(/session=./, 'session=~'),
      cookie.slice(0, -1),
      cookie.replace(/; session\.sig=.*/, ''),
      cookie.replace(/\.\d/, '.9'),
      cookie.replace('session=', 'Session='),
      'session={"a":1}; session.sig=%00\u00ff',
    ];
    for (const given of tampered) {
      assert.equal((await ask(cookie)).cookie, '');
      assert.notEqual(idOf((await ask(given)).cookie), idOf(cookie), given);
      assert.notEqual((await ask(given)).cookie, '', given);
    }
    for (const value of ['an-old-id', '', '.', '.1', 'a.', 'a.b', 'a.Infinity', '__proto__']) {
      assert.match(String(idOf((await ask(signed(value))).cookie)), /^[\w-]{24}$/, value);
    }
  });

  it('is given a new cookie with the same ID after a twentieth of its TTL', async (t) => {
    const { ask, clock } = await start(t);
    const { cookie } = await ask();
    clock.advance(LIVES.ttlSeconds * 49);
    assert.equal((await ask(cookie)).cookie, '');
    clock.advance(LIVES.ttlSeconds * 2);
    const renewed = await ask(cookie);
    assert.deepEqual(renewed.calls, ['search']);
    assert.notEqual(renewed.cookie, cookie);
    assert.equal(idOf(renewed.cookie), idOf(cookie));
    assert.equal((await ask(renewed.cookie)).cookie, '');
  });

  it('is read without a new cookie, whether the old cookie is valid or not', async (t) => {
    const { cookie } = await (await start(t)).ask();
    const { ask } = await start(t, { keys: ['new', 'key'] });
    for (const given of [cookie, cookie.replace('sig=', 'sig=x'), signed('an-old-id')]) {
      assert.equal((await ask(given, 'POST')).cookie, '');
    }
  });

  it('is signed with the first key when its cookie is issued again', async (t) => {
    const { ask, clock } = await start(t, { keys: ['new', 'key'] });
    const before = await (await start(t)).ask();
    assert.equal((await ask(before.cookie)).cookie, '');
    clock.advance(LIVES.ttlSeconds * 51);
    const after = await ask(before.cookie);
    const withoutOldKey = await start(t, { keys: ['new'] });
    withoutOldKey.clock.advance(LIVES.ttlSeconds * 102);
    assert.equal(idOf((await withoutOldKey.ask(after.cookie)).cookie), idOf(before.cookie));
    assert.equal(idOf(after.cookie), idOf(before.cookie));
    // Without all attributes, browsers would drop one of the two.
    const attributes = after.lines.map((line) => line.split('; ').slice(1));
    assert.equal(attributes.length, 2);
    assert.deepEqual(attributes[0], attributes[1]);
    assert.equal((await ask(after.cookie)).cookie, '');
  });

  it('keeps a cookie of a replica whose clock is ahead', async (t) => {
    const [ahead, behind] = [await start(t), await start(t)];
    ahead.clock.advance(LIVES.ttlSeconds * 3000);
    const { cookie } = await ahead.ask();
    assert.equal((await behind.ask(cookie)).cookie, '');
  });

  it('over TLS comes only from a cookie that no other host of the domain can set', async (t) => {
    let secure = false;
    const { ask } = await start(t, { secure: () => secure });
    const plain = await ask();
    assert.equal((await ask(plain.cookie)).cookie, '');
    secure = true;
    const { cookie } = await ask(plain.cookie);
    assert.match(cookie, /^__Host-session=[^;]+; __Host-session\.sig=/);
    // A neighbor may have planted the other one, to see the searches of its victim.
    assert.notEqual(idOf(cookie), idOf(plain.cookie));
    assert.equal((await ask(`${plain.cookie}; ${cookie}`)).cookie, '');
    secure = false;
    assert.notEqual(idOf((await ask(cookie)).cookie), idOf(cookie));
  });

  it('keeps its cookie while the store accepts no writes, and no session begins', async (t) => {
    let canRecord = true;
    const { ask, clock } = await start(t, { canRecord: () => canRecord });
    const { cookie } = await ask();
    canRecord = false;
    assert.deepEqual(await ask(), { status: 200, cookie: '', lines: [], calls: ['lost'] });
    clock.advance(LIVES.ttlSeconds * 51);
    // The store retries the recording: the outage may be short.
    assert.deepEqual(await ask(cookie), { status: 200, cookie: '', lines: [], calls: ['search'] });
  });
});
