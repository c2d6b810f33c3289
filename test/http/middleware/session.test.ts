import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import Koa from 'koa';
import { ifUnavailable, LateReplyError, StoreUnavailableError } from '../../../src/errors.js';
import type { AppMiddleware, RequestState } from '../../../src/http/context.js';
import { errors, HttpError } from '../../../src/http/middleware/errors.js';
import { sessions } from '../../../src/http/middleware/session.js';
import { createSigningKeys } from '../../../src/http/signing-keys.js';
import { createMemorySessions } from '../../../src/memory/sessions.js';
import type { Sessions } from '../../../src/weather/searches.js';
import { manualClock } from '../../support/manual-clock.js';
import { scope } from '../../support/scope.js';

const LIVES = { ttlSeconds: 1000, unconfirmedTtlSeconds: 100 };
const OSLO = { placeKey: 'oslo', city: 'Oslo', country: 'Norway' };

/** An app whose only route records a search, between limits and a store that the test gives. */
async function start(
  t: TestContext,
  options: {
    limit?: AppMiddleware;
    store?: Partial<Sessions>;
    records?: boolean;
    storeMs?: number;
  } = {},
) {
  const clock = manualClock();
  clock.advance(1);
  const kept = createMemorySessions({ clock, lives: LIVES, maxSessions: 100 });
  const calls: string[] = [];
  const store: Sessions = { ...kept, ...options.store };
  const app = new Koa<RequestState>();
  const keys = createSigningKeys(['key']);
  app.keys = keys;
  const session = sessions(app, {
    keys,
    store: {
      ...store,
      save(id, data, search, sending) {
        calls.push('save');
        return store.save(id, data, search, sending);
      },
      record(id, search) {
        calls.push(search ? 'record a search' : 'record');
        return store.record(id, search);
      },
    },
    ttlSeconds: LIVES.ttlSeconds,
    warnInsecure: undefined,
    now: () => clock.now(),
  });
  app.use(errors());
  app.use(async (ctx, next) => {
    ctx.state.scope = scope({ storeMs: options.storeMs ?? 250 });
    await next();
  });
  app.use(options.limit ?? ((_ctx, next) => next()));
  app.use(session.establish);
  app.use(async (ctx) => {
    if (options.records ?? true) {
      await ifUnavailable(session.record(ctx, OSLO), undefined);
    }
    ctx.body = 'ok';
  });
  const server: Server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  async function ask(cookie?: string) {
    calls.length = 0;
    const response = await fetch(url, { headers: cookie ? { cookie } : {} });
    await response.text();
    const cookies = response.headers.getSetCookie().map((line) => line.split(';')[0]);
    return { status: response.status, cookie: cookies.join('; '), calls: [...calls] };
  }
  return { ask, clock };
}

describe('the commands of a session', () => {
  it('are one for a new session with its search, and one for a session that goes on', async (t) => {
    const { ask } = await start(t);
    const first = await ask();
    assert.deepEqual(first.calls, ['save']);
    for (let time = 0; time < 3; time += 1) {
      const { cookie, calls } = await ask(first.cookie);
      assert.deepEqual([cookie, calls], ['', ['record a search']]);
    }
  });

  it('without a search are one as well', async (t) => {
    const { ask } = await start(t, { records: false });
    const first = await ask();
    assert.deepEqual(first.calls, ['save']);
    const again = await ask(first.cookie);
    assert.deepEqual([again.cookie, again.calls], ['', ['record']]);
  });

  it('for a cookie that was tampered with are those of a new session', async (t) => {
    const { ask } = await start(t);
    const { cookie } = await ask();
    await ask(cookie);
    const forged = await ask(cookie.replace(/session=./, 'session=x'));
    assert.deepEqual(forged.calls, ['save']);
    assert.notEqual(forged.cookie.split(';')[0], cookie.split(';')[0]);
  });

  it('issue the cookie anew when a twentieth of its life is gone, under the same id', async (t) => {
    const { ask, clock } = await start(t);
    const { cookie } = await ask();
    clock.advance(LIVES.ttlSeconds * 49);
    assert.equal((await ask(cookie)).cookie, '');
    clock.advance(LIVES.ttlSeconds * 2);
    const renewed = await ask(cookie);
    assert.deepEqual(renewed.calls, ['record a search', 'save']);
    assert.equal(renewed.cookie, cookie);
    assert.deepEqual((await ask(cookie)).calls, ['record a search']);
  });

  it('give a session that is gone a new id', async (t) => {
    const { ask, clock } = await start(t);
    const { cookie } = await ask();
    clock.advance(LIVES.ttlSeconds * 1001);
    const again = await ask(cookie);
    assert.deepEqual(again.calls, ['record a search', 'save']);
    assert.notEqual(again.cookie, '');
    assert.notEqual(again.cookie, cookie);
  });

  it('are none for a request that a rate limit refuses', async (t) => {
    let refuses = false;
    const { ask } = await start(t, {
      limit: (_ctx, next) => {
        if (refuses) throw new HttpError(429, 'Rate limit exceeded', 'too many');
        return next();
      },
    });
    const { cookie } = await ask();
    refuses = true;
    const { status, calls, cookie: issued } = await ask(cookie);
    assert.deepEqual([status, calls, issued], [429, [], '']);
  });
});

describe('a session while its store', () => {
  const unavailable = () => Promise.reject(new StoreUnavailableError('unavailable'));
  const late = () => Promise.reject(new LateReplyError('late'));

  it('is unavailable: the request is answered, and no cookie is issued', async (t) => {
    const { ask } = await start(t, { store: { save: unavailable, record: unavailable } });
    const { status, calls, cookie } = await ask();
    assert.deepEqual([status, calls, cookie], [200, ['save'], '']);
  });

  it('answers late: a new client gets the cookie of the session that was sent', async (t) => {
    const { ask } = await start(t, { store: { save: late } });
    assert.match((await ask()).cookie, /^session=.+; session\.sig=/);
  });

  it('answers late: a cookie that is there stays as it was', async (t) => {
    const { ask } = await start(t, { store: { record: late } });
    const { cookie } = await ask();
    const again = await ask(cookie);
    assert.deepEqual([again.calls, again.cookie], [['record a search'], '']);
  });

  it('was waited for long enough: a new session is sent all the same', async (t) => {
    let left: number | undefined;
    const save: Sessions['save'] = (_id, _data, _search, sending) => {
      left = sending?.storeMs;
      return late();
    };
    const { ask } = await start(t, { store: { save }, storeMs: -10 });
    assert.notEqual((await ask()).cookie, '');
    assert.equal(left, 1);
  });
});
