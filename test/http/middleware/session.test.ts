import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import Koa from 'koa';
import { StoreUnavailableError } from '../../../src/errors.js';
import type { AppMiddleware, RequestState } from '../../../src/http/context.js';
import { errors, HttpError } from '../../../src/http/middleware/errors.js';
import { sessions } from '../../../src/http/middleware/session.js';
import { createSigningKeys } from '../../../src/http/signing-keys.js';
import { createMemorySessions } from '../../../src/memory/sessions.js';
import type { Sessions } from '../../../src/weather/searches.js';
import { manualClock } from '../../support/manual-clock.js';
import { turn } from '../../support/eventually.js';

const LIVES = { ttlSeconds: 1000, unconfirmedTtlSeconds: 100 };
const OSLO = { placeKey: 'oslo', city: 'Oslo', country: 'Norway' };
/** An app whose only route records a search, between limits and a store that the test gives. */
async function start(
  t: TestContext,
  options: { limit?: AppMiddleware; store?: Partial<Sessions>; records?: boolean } = {},
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
      get(id) {
        calls.push('get');
        return store.get(id);
      },
      save(id, data, search) {
        calls.push('save');
        return store.save(id, data, search);
      },
      confirm(id, search) {
        calls.push('confirm');
        return store.confirm(id, search);
      },
    },
    ttlSeconds: LIVES.ttlSeconds,
    warnInsecure: undefined,
    now: () => clock.now(),
  });
  app.use(errors());
  app.use(session.prefetch);
  app.use(options.limit ?? ((_ctx, next) => next()));
  app.use(session.establish);
  app.use(async (ctx) => {
    if (options.records ?? true) await ctx.state.session?.record(OSLO);
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
  return { ask, calls };
}

const refused = new HttpError(429, 'Rate limit exceeded', 'too many');

describe('the commands of a session', () => {
  it('session commands: one for a new session with its search, and two for one that goes on', async (t) => {
    const { ask } = await start(t);
    const first = await ask();
    assert.deepEqual(first.calls, ['save']);
    for (let time = 0; time < 3; time += 1) {
      const { cookie, calls } = await ask(first.cookie);
      assert.deepEqual([cookie, calls], ['', ['get', 'confirm']]);
    }
  });

  it('session commands: without a search they keep a new session, and confirm one when its cookie has come back', async (t) => {
    const { ask } = await start(t, { records: false });
    const first = await ask();
    assert.deepEqual(first.calls, ['save']);
    assert.deepEqual((await ask(first.cookie)).calls, ['get', 'confirm']);
    assert.deepEqual((await ask(first.cookie)).calls, ['get']);
  });

  it('session commands: a tampered cookie gets a fresh session, and nothing is read for it', async (t) => {
    const { ask } = await start(t);
    const { cookie } = await ask();
    await ask(cookie);
    const forged = await ask(cookie.replace(/session=./, 'session=x'));
    assert.deepEqual(forged.calls, ['save']);
    assert.notEqual(forged.cookie.split(';')[0], cookie.split(';')[0]);
  });
});

describe('the read of a session', () => {
  it('session read: it begins in the turn in which the limits are asked, and is made once', async (t) => {
    let readWithLimits: boolean | undefined;
    const { ask, calls } = await start(t, {
      limit: async (_ctx, next) => {
        // What ioredis sends in one batch is collected until now.
        await turn();
        readWithLimits = calls.includes('get');
        await next();
      },
    });
    const { cookie } = await ask();
    const again = await ask(cookie);
    assert.equal(readWithLimits, true);
    assert.deepEqual(again.calls, ['get', 'confirm']);
  });

  it('session read: it is not made for a request that this process refuses by itself', async (t) => {
    let refuses = false;
    const { ask } = await start(t, {
      limit: async (ctx, next) => {
        await Promise.resolve().then(() => undefined);
        if (refuses) {
          ctx.state.refusedBy = 'per_ip';
          throw refused;
        }
        await next();
      },
    });
    const { cookie } = await ask();
    refuses = true;
    const { status, calls, cookie: issued } = await ask(cookie);
    await turn();
    assert.deepEqual([status, calls, issued], [429, [], '']);
    assert.deepEqual(await ask().then((answer) => [answer.calls, answer.cookie]), [[], '']);
  });

  it('session read: it may fail: a refused request stays refused, an admitted one is answered', async (t) => {
    let refuses = false;
    const { ask } = await start(t, {
      store: {
        get: () => Promise.reject(new StoreUnavailableError('away')),
      },
      limit: async (ctx, next) => {
        await turn();
        if (refuses) {
          ctx.state.refusedBy = 'per_ip';
          throw refused;
        }
        await next();
      },
    });
    const { cookie } = await ask();
    const admitted = await ask(cookie);
    assert.deepEqual([admitted.status, admitted.calls, admitted.cookie], [200, ['get'], '']);
    refuses = true;
    const { status, calls, cookie: issued } = await ask(cookie);
    assert.deepEqual([status, calls, issued], [429, ['get'], '']);
  });
});
