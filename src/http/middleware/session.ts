import type Koa from 'koa';
import { createSession } from 'koa-session';
import { StoreUnavailableError } from '../../errors.js';
import type { Logger } from '../../process/log.js';
import type { SessionData, SessionStore } from '../../weather/searches.js';
import type { AppContext, AppMiddleware, RequestSession } from '../context.js';

const COOKIE = 'session';
/**
 * A search renews the session. Its cookie is issued anew only when this part of its life is gone:
 * signing and storing it at every search would cost more than all else in a cache hit.
 */
const RENEWAL_AFTER = 0.05;

/** What koa-session puts on the context. */
interface LibraryContext {
  session: { isNew: boolean; externalKey: string; issuedAt?: number; save(): Promise<void> };
  sessionOptions: { secure: boolean; sameSite: 'none' | 'lax' };
}

export interface SessionOptions {
  store: SessionStore;
  ttlSeconds: number;
  /** Told once a process when cookies must go over plain HTTP: undefined where that is expected. */
  warnInsecure: Logger | undefined;
  now: () => number;
}

/**
 * Sessions by koa-session, kept in the external store under a signed cookie. The keys that sign are
 * the app's.
 * - `establish` gives every request a session; a store that is away never fails the request
 * - `existing` only looks: a store that is away is an error
 */
export function sessions(
  app: Koa,
  options: SessionOptions,
): { establish: AppMiddleware; existing: AppMiddleware } {
  const { store, ttlSeconds, now } = options;
  const ttlMs = ttlSeconds * 1000;
  let { warnInsecure } = options;

  const library = createSession(
    {
      key: COOKIE,
      maxAge: ttlMs,
      httpOnly: true,
      signed: true,
      // Committing happens below, where a failing store cannot turn an answer into an error.
      autoCommit: false,
      store: {
        // Only our own field: the library's expiry is of the clock of whichever replica wrote it.
        get: async (id, _maxAge, { ctx }) => store.get(id, budgetOf(ctx)),
        set: async (id, data, _maxAge, { ctx }) => {
          await store.set(id, { issuedAt: (data as SessionData).issuedAt }, budgetOf(ctx));
        },
        destroy: async (id, { ctx }) => {
          await store.destroy(id, budgetOf(ctx));
        },
      },
    },
    app,
  );

  function attach(ctx: AppContext): RequestSession {
    const { session, sessionOptions } = ctx as unknown as LibraryContext;
    // A cookie of an older key: the library has signed it anew, but without the cookie's attributes,
    // and a browser would drop it from cross-site requests.
    const isOfOldKey = ctx.res.hasHeader('Set-Cookie') && !session.isNew;
    ctx.remove('Set-Cookie');
    const { secure } = ctx.state;
    sessionOptions.secure = secure;
    sessionOptions.sameSite = secure ? 'none' : 'lax';
    const issue = async () => {
      if (!secure) {
        warnInsecure?.warn({ event: 'insecure_session_cookie', request_id: ctx.state.requestId });
        warnInsecure = undefined;
      }
      session.issuedAt = now();
      await session.save();
    };
    return {
      id: session.externalKey,
      isNew: session.isNew,
      async renew() {
        const isDue = Math.abs(now() - (session.issuedAt ?? 0)) > ttlMs * RENEWAL_AFTER;
        if (isOfOldKey || isDue) await issue();
      },
    };
  }

  const load = (ctx: AppContext, next: () => Promise<unknown>) => {
    // koa-session asks the cookie jar whether the connection is secure: the proxy's word counts.
    ctx.cookies.secure = ctx.state.secure;
    return library(ctx, next);
  };

  return {
    async establish(ctx, next) {
      try {
        await load(ctx, () => {
          ctx.state.session = attach(ctx);
          return Promise.resolve();
        });
      } catch (error) {
        if (!(error instanceof StoreUnavailableError)) throw error;
        ctx.remove('Set-Cookie');
      }
      const { session } = ctx.state;
      const issued = session?.isNew ? unlessAway(session.renew()) : undefined;
      try {
        await next();
      } finally {
        await issued;
      }
    },
    async existing(ctx, next) {
      await load(ctx, () => {
        ctx.state.session = attach(ctx);
        return Promise.resolve();
      });
      await next();
    },
  };
}

function budgetOf(ctx: unknown) {
  return (ctx as AppContext).state.scope;
}

async function unlessAway(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error;
  }
}
