import type Keygrip from 'keygrip';
import type Koa from 'koa';
import { createSession } from 'koa-session';
import { ifUnavailable } from '../../errors.js';
import type { Logger } from '../../process/log.js';
import type { Search, SessionData, Sessions } from '../../weather/searches.js';
import type {
  AppContext,
  AppMiddleware,
  RequestSession,
  RequestState,
  SessionCookie,
} from '../context.js';

const COOKIE = 'session';
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

/**
 * Sessions by koa-session, kept in the external store under a signed cookie.
 * - `prefetch` goes before the limits: the session is read while they are asked
 * - `establish` gives every request a session; an unavailable store never fails the request
 * - `existing` only looks; an unavailable store is an error
 */
export function sessions(
  app: Koa<RequestState>,
  options: SessionOptions,
): { prefetch: AppMiddleware; establish: AppMiddleware; existing: AppMiddleware } {
  const { keys, store, ttlSeconds, now } = options;
  const ttlMs = ttlSeconds * 1000;
  let { warnInsecure } = options;

  /** koa-session makes one for each request. */
  class RequestStore {
    readonly #state: RequestState;
    constructor(ctx: AppContext) {
      this.#state = ctx.state;
    }
    get() {
      return this.#state.cookie?.read();
    }
    /** Only our own field: the library's expiry is of the clock of whichever replica wrote it. */
    async set(id: string, { issuedAt }: SessionData) {
      const { cookie, search, scope } = this.#state;
      await store.save(id, { issuedAt, confirmed: cookie?.id === id }, search, scope);
    }
    async destroy(id: string) {
      await store.destroy(id, this.#state.scope);
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
          ctx.cookies.set(COOKIE, id, ctx.sessionOptions);
        },
      },
    },
    app,
  );

  /** Not before the limits have admitted the request: a refused one need not pay for it. */
  function cookieOf(ctx: AppContext): SessionCookie | undefined {
    if (!('cookie' in ctx.state)) ctx.state.cookie = readCookie(ctx);
    return ctx.state.cookie;
  }

  function readCookie(ctx: AppContext): SessionCookie | undefined {
    const id = ctx.cookies.get(COOKIE, { signed: false });
    const signature = ctx.cookies.get(`${COOKIE}.sig`, { signed: false });
    if (!id || !signature) return undefined;
    const key = keys.index(`${COOKIE}=${id}`, signature);
    if (key < 0) return undefined;
    let read: Promise<SessionData | undefined> | undefined;
    return {
      id,
      isOfOldKey: key > 0,
      read: () => (read ??= store.get(id, ctx.state.scope)),
    };
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
   * Puts the session on the context. The library is left out until there is a cookie to issue: it
   * takes a checksum of the data of each session that it loads.
   * @throws StoreUnavailableError
   */
  async function attach(ctx: AppContext): Promise<RequestSession> {
    const cookie = cookieOf(ctx);
    const data = await cookie?.read();
    const session = cookie && data ? existingSession(ctx, cookie, data) : newSession(ctx);
    ctx.state.session = session;
    return session;
  }

  function existingSession(
    ctx: AppContext,
    { id, isOfOldKey }: SessionCookie,
    { issuedAt, confirmed }: SessionData,
  ): RequestSession {
    const { scope } = ctx.state;
    let isKept = confirmed;
    return {
      id,
      async record(search) {
        isKept = true;
        const isDue = Math.abs(now() - issuedAt) > ttlMs * RENEWAL_AFTER;
        if (isOfOldKey || isDue) await issue(ctx, search);
        else await store.confirm(id, search, scope);
      },
      async keep() {
        if (!isKept) await store.confirm(id, undefined, scope);
      },
    };
  }

  function newSession(ctx: AppContext): RequestSession {
    let isKept = false;
    return {
      id: undefined,
      async record(search) {
        isKept = true;
        await issue(ctx, search);
      },
      async keep() {
        if (!isKept) await issue(ctx);
      },
    };
  }

  return {
    prefetch(ctx, next) {
      afterMicrotasks(() => {
        if (ctx.state.refusedBy) return;
        cookieOf(ctx)
          ?.read()
          .catch(() => undefined);
      });
      return next();
    },
    async establish(ctx, next) {
      const session = await ifUnavailable(attach(ctx), undefined);
      try {
        await next();
      } finally {
        if (session) await ifUnavailable(session.keep(), undefined);
      }
    },
    async existing(ctx, next) {
      const session = await attach(ctx);
      const confirmed = session.id && ifUnavailable(session.keep(), undefined);
      await Promise.all([next(), confirmed]);
    },
  };
}

/**
 * When all has run that waits for nothing outside the process: a refusal that this process knows by
 * itself has then been told. What Redis is asked meanwhile and here still goes in one batch.
 */
function afterMicrotasks(work: () => void): void {
  queueMicrotask(() => {
    process.nextTick(work);
  });
}
