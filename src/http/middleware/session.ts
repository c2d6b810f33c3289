import { randomBytes } from 'node:crypto';
import type Keygrip from 'keygrip';
import type Koa from 'koa';
import { createSession } from 'koa-session';
import type { Logger } from '../../process/log.js';
import type { Search, SessionLives, Sessions } from '../../weather/searches.js';
import type { AppContext, AppMiddleware, RequestState, SessionCookie } from '../context.js';
import { readSessionCookie, sessionCookieName, sessionCookieValue } from '../session-cookie.js';

/**
 * The cookie is issued anew when this part of its life is gone: signing one for each answer would cost
 * more than all else in a cache hit.
 */
const RENEWAL_AFTER = 0.05;
/** 144 bits. */
const ID_BYTES = 18;

/** What koa-session puts on the context. */
interface LibraryContext {
  session: { id: string; issuedAt: number; manuallyCommit?(): Promise<void> };
  sessionOptions: object;
}

export interface SessionOptions {
  keys: Keygrip;
  store: Sessions;
  lives: SessionLives;
  /** Told once a process when cookies must go over plain HTTP: undefined where that is expected. */
  warnInsecure: Logger | undefined;
  now: () => number;
}

/**
 * Sessions. koa-session issues their signed cookies, which say all that a request must know: the id,
 * and when the cookie was issued. Their searches are in the store.
 */
export interface RequestSessions {
  /** Gives a weather request its session, and its answer a cookie where one is due. */
  establish: AppMiddleware;
  /** Only looks who asks. */
  existing: AppMiddleware;
  /** Records a search of the request's session. The answer waits until that is on its way, not for its end. */
  record: (ctx: AppContext, search: Search) => Promise<void>;
}

export function sessions(app: Koa<RequestState>, options: SessionOptions): RequestSessions {
  const { keys, store, lives, now } = options;
  const ttlMs = lives.ttlSeconds * 1000;
  let { warnInsecure } = options;

  createSession(
    {
      // Its end is given below: with `maxAge` it would be of this process's clock, which may be wrong.
      maxAge: 'session',
      httpOnly: true,
      signed: true,
      autoCommit: false,
      encode: sessionCookieValue,
    },
    app,
  );

  async function issue(context: AppContext, id: string, issuedAt: number): Promise<void> {
    const ctx = context as AppContext & LibraryContext;
    const { secure, requestId } = ctx.state;
    if (!secure) {
      warnInsecure?.warn({ event: 'insecure_session_cookie', request_id: requestId });
      warnInsecure = undefined;
    }
    // The cookie jar refuses to send a secure cookie over what it takes for plain HTTP.
    ctx.cookies.secure = secure;
    ctx.session = { id, issuedAt };
    Object.assign(ctx.sessionOptions, {
      key: sessionCookieName(secure),
      expires: new Date(issuedAt + ttlMs),
      secure,
      sameSite: secure ? 'none' : 'lax',
      partitioned: secure,
    });
    await ctx.session.manuallyCommit?.();
    // The library writes no Max-Age, which clients heed before the end, and which needs no clock of ours.
    const issued = [ctx.response.get('Set-Cookie')].flat();
    const withLife = issued.map((cookie) => `${cookie}; max-age=${lives.ttlSeconds}`);
    ctx.set('Set-Cookie', withLife);
  }

  function isDue({ issuedAt, isOfOldKey }: SessionCookie): boolean {
    if (issuedAt === undefined || isOfOldKey) return true;
    return Math.abs(now() - issuedAt) > ttlMs * RENEWAL_AFTER;
  }

  /** Whether the session's first life may not be over: later it is confirmed, or gone. */
  const isYoung = (issuedAt: number) => now() - issuedAt < lives.unconfirmedTtlSeconds * 1000;

  const existing: AppMiddleware = (ctx, next) => {
    ctx.state.cookie = readSessionCookie(ctx.get('Cookie'), keys, ctx.state.secure);
    return next();
  };

  return {
    existing,
    async establish(ctx, next) {
      const cookie = readSessionCookie(ctx.get('Cookie'), keys, ctx.state.secure);
      const id = cookie?.id ?? randomBytes(ID_BYTES).toString('base64url');
      const issues = (!cookie || isDue(cookie)) && store.canRecord(id);
      const issuedAt = issues ? now() : (cookie?.issuedAt ?? now());
      if (issues) await issue(ctx, id, issuedAt);
      const session = { id, issuedAt, confirmed: cookie !== undefined };
      if (cookie || issues) ctx.state.session = session;
      try {
        await next();
      } finally {
        if (ctx.state.session && cookie && isYoung(issuedAt)) void store.record(session);
      }
    },
    async record(ctx, search) {
      const { session } = ctx.state;
      if (!session || isOfAnotherSite(ctx)) return;
      // A search confirms the session, too.
      delete ctx.state.session;
      await store.record(session, search);
    },
  };
}

/**
 * Whether a page of another site made the browser go here, or load this as a picture: its visitor has
 * not searched for anything. Pages that call the API by `fetch` do so in another mode.
 */
function isOfAnotherSite(ctx: AppContext): boolean {
  const site = ctx.get('Sec-Fetch-Site');
  if (site !== 'cross-site' && site !== 'same-site') return false;
  const mode = ctx.get('Sec-Fetch-Mode');
  return mode === 'navigate' || mode === 'no-cors';
}
