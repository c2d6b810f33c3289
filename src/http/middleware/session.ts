import type Keygrip from 'keygrip';
import type Koa from 'koa';
import { createSession } from 'koa-session';
import { ifUnavailable, LateReplyError } from '../../errors.js';
import type { Logger } from '../../process/log.js';
import type { Search, SessionData, Sessions } from '../../weather/searches.js';
import type { AppContext, AppMiddleware, RequestState, SessionCookie } from '../context.js';

const COOKIE = 'session';
/** The names under which a cookie is read: the first is what 3.0.0 issues over TLS. */
const READ = [`__Host-${COOKIE}`, COOKIE];
/**
 * A search renews the session. Its cookie is issued anew only when this part of its life is gone:
 * signing and storing it at every search would cost more than all else in a cache hit.
 */
const RENEWAL_AFTER = 0.05;

/** What koa-session puts on the context. */
interface LibraryContext {
  session: { issuedAt?: number; save(): Promise<void> };
  sessionOptions: { secure: boolean; sameSite: 'none' | 'lax'; partitioned: boolean };
}

export interface SessionOptions {
  keys: Keygrip;
  store: Sessions;
  ttlSeconds: number;
  /** Told once a process when cookies must go over plain HTTP: undefined where that is expected. */
  warnInsecure: Logger | undefined;
  now: () => number;
}

/** What a route asks of the session of a request. */
export interface RequestSessions {
  /** The session that the cookie of a request names. */
  cookieOf: (ctx: AppContext) => SessionCookie | undefined;
  /** Records a search, which begins the session's life anew. @throws StoreUnavailableError */
  record: (ctx: AppContext, search: Search) => Promise<void>;
}

interface Guards extends RequestSessions {
  establish: AppMiddleware;
  existing: AppMiddleware;
}

/**
 * Sessions by koa-session, kept in the external store under a signed cookie. The library is left out
 * until there is a cookie to issue: a session that goes on is one command to the store.
 * - `establish` gives every request a session; an unavailable store never fails the request
 * - `existing` only looks who asks
 */
export function sessions(app: Koa<RequestState>, options: SessionOptions): Guards {
  const { keys, store, ttlSeconds, now } = options;
  const ttlMs = ttlSeconds * 1000;
  let { warnInsecure } = options;

  /** koa-session makes one for each request that issues a cookie. */
  class RequestStore {
    readonly #state: RequestState;
    constructor(ctx: AppContext) {
      this.#state = ctx.state;
    }
    /** The store was asked before: a cookie that is still here names a session that is there. */
    get() {
      return this.#state.cookie;
    }
    /** Only our own field: the library's expiry is of the clock of whichever replica wrote it. */
    async set(id: string, { issuedAt }: SessionData) {
      const { cookie, search, scope } = this.#state;
      // What was waited for elsewhere leaves at least the sending.
      const sending = scope.storeMs > 0 ? scope : { ...scope, storeMs: 1 };
      try {
        await store.save(id, { issuedAt, confirmed: cookie?.id === id }, search, sending);
      } catch (error) {
        // The store has it or will have it: without its cookie nobody would ever ask for it.
        if (!(error instanceof LateReplyError)) throw error;
      }
    }
    /** No session is ended before its life is over. */
    async destroy() {
      await Promise.resolve();
    }
  }

  const library = createSession(
    {
      key: COOKIE,
      maxAge: ttlMs,
      httpOnly: true,
      signed: true,
      // Committing happens below, where a failing store cannot turn an answer into an error.
      autoCommit: false,
      ContextStore: RequestStore,
      externalKey: {
        // No id: the library makes a new session.
        get: (ctx: AppContext) => ctx.state.cookie?.id ?? '',
        set: (ctx: AppContext & LibraryContext, id: string) => {
          // With `maxAge` its end would be of this process's clock, which may be wrong.
          const expires = new Date(now() + ttlMs);
          ctx.cookies.set(COOKIE, id, { ...ctx.sessionOptions, maxAge: undefined, expires });
        },
      },
    },
    app,
  );

  /** Reads the cookie once. */
  function cookieOf(ctx: AppContext): SessionCookie | undefined {
    if (!('cookie' in ctx.state)) ctx.state.cookie = readCookie(ctx);
    return ctx.state.cookie;
  }

  function readCookie(ctx: AppContext): SessionCookie | undefined {
    for (const name of READ) {
      const value = ctx.cookies.get(name, { signed: false });
      const signature = ctx.cookies.get(`${name}.sig`, { signed: false });
      if (!value || !signature) continue;
      const key = keys.index(`${name}=${value}`, signature);
      // 3.0.0 adds a dot, and when the cookie was issued.
      const [id = ''] = value.split('.');
      if (key >= 0 && id !== '') return { id, isOfOldKey: key > 0 };
    }
    return undefined;
  }

  /** Has the library make the session, or load it, and save it with its cookie. */
  async function issue(context: AppContext, search?: Search): Promise<void> {
    const ctx = context as AppContext & LibraryContext;
    const { secure, requestId } = ctx.state;
    if (!secure) {
      warnInsecure?.warn({ event: 'insecure_session_cookie', request_id: requestId });
      warnInsecure = undefined;
    }
    await library(ctx, () => Promise.resolve());
    // The cookie jar refuses to send a secure cookie over what it takes for plain HTTP.
    ctx.cookies.secure = secure;
    const sameSite = secure ? 'none' : 'lax';
    Object.assign(ctx.sessionOptions, { secure, sameSite, partitioned: secure });
    ctx.session.issuedAt = now();
    ctx.state.search = search;
    await ctx.session.save();
  }

  /**
   * Keeps the session of a request, with a search if there is one.
   * @throws StoreUnavailableError
   */
  async function keep(ctx: AppContext, search?: Search): Promise<void> {
    const { cookie, scope, pendingRecord } = ctx.state;
    const issuedAt =
      cookie && (pendingRecord?.issuedAt ?? (await store.record(cookie.id, search, scope)));
    if (!cookie || issuedAt === undefined) {
      ctx.state.cookie = undefined;
      await issue(ctx, search);
    } else if (search) {
      const isDue = Math.abs(now() - issuedAt) > ttlMs * RENEWAL_AFTER;
      if (cookie.isOfOldKey || isDue) await issue(ctx);
    }
  }

  return {
    cookieOf,
    record(ctx, search) {
      ctx.state.isSessionKept = true;
      return keep(ctx, search);
    },
    async establish(ctx, next) {
      cookieOf(ctx);
      try {
        await next();
      } finally {
        if (!ctx.state.isSessionKept) await ifUnavailable(keep(ctx), undefined);
      }
    },
    existing(ctx, next) {
      cookieOf(ctx);
      return next();
    },
  };
}
