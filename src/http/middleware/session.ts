import { randomBytes } from 'node:crypto';
import type Koa from 'koa';
import { createSession } from 'koa-session';
import type { Logger } from '../../process/log.js';
import {
  createInstants,
  type Search,
  type SessionLives,
  type Sessions,
} from '../../recent-searches.js';
import type { AppContext, AppMiddleware, RequestState } from '../context.js';

/**
 * Fraction of the session's TTL after which its cookie is issued again. Signing a cookie for each response
 * would cost more than the rest of a cache hit.
 */
const RENEWAL_AFTER = 0.05;
/** 144 bits. */
const ID_BYTES = 18;

/** Options of koa-session by scheme. No other host of the domain can set a cookie with the prefix `__Host-`. */
const OVER_TLS = { key: '__Host-session', secure: true, sameSite: 'none', partitioned: true };
const OVER_HTTP = { key: 'session', secure: false, sameSite: 'lax', partitioned: false };

/** What the cookie holds. */
interface CookieData {
  id: string;
  /** Unix time in milliseconds at which the cookie was issued. */
  issuedAt: number;
}

/** What koa-session adds to the context. */
interface SessionContext {
  session: CookieData & { isNew?: boolean; manuallyCommit?(): Promise<void> };
  sessionOptions: object;
}

export interface SessionOptions {
  store: Sessions;
  lives: SessionLives;
  /** Logs a warning once if cookies go over plain HTTP. Undefined if that is expected. */
  warnInsecure: Logger | undefined;
  /** Unix time in milliseconds. */
  now: () => number;
}

/**
 * Sessions. koa-session reads, verifies, signs, and issues their cookies, which hold everything that a
 * request needs: the ID, and the time of issue. The recent searches are in the store.
 */
export interface RequestSessions {
  /** Gives a weather request its session, and its response a cookie if one is due. */
  establish: AppMiddleware;
  /** Reads the session of a request. Creates none, and issues no cookie. */
  existing: AppMiddleware;
  /** Records a search of the request's session, as answered now. The response waits for it. */
  record: (ctx: AppContext, search: Search) => Promise<void>;
  /** Gives the request's session a new ID, and its response the cookie with that ID. */
  renewId: (ctx: AppContext) => Promise<void>;
}

export function sessions(app: Koa<RequestState>, options: SessionOptions): RequestSessions {
  const { store, lives, now } = options;
  const ttlMs = lives.ttlSeconds * 1000;
  const nextInstantUs = createInstants(now);
  let { warnInsecure } = options;

  // The cookie expires by `expires` below: `maxAge` would use the clock of this process, which may be wrong.
  createSession({ maxAge: 'session', autoCommit: false, encode, decode, valid }, app);

  /** Reads the cookie of the request's scheme. */
  function read(context: AppContext): { data: CookieData | undefined; isOfOldKey: boolean } {
    const ctx = context as AppContext & SessionContext;
    const { secure } = ctx.state;
    ctx.cookies.secure = secure;
    Object.assign(ctx.sessionOptions, secure ? OVER_TLS : OVER_HTTP);
    const { session } = ctx;
    const data = session.isNew ? undefined : session;
    // Koa signs a cookie of an old key again, but without attributes, so that browsers may drop the signature. It also
    // removes a wrong signature. Instead, `issue` sets both cookies.
    const isOfOldKey = data !== undefined && ctx.res.hasHeader('Set-Cookie');
    ctx.remove('Set-Cookie');
    return { data, isOfOldKey };
  }

  async function issue(context: AppContext, id: string): Promise<CookieData> {
    const ctx = context as AppContext & SessionContext;
    const { secure, requestId } = ctx.state;
    if (!secure) {
      warnInsecure?.warn({ event: 'insecure_session_cookie', request_id: requestId });
      warnInsecure = undefined;
    }
    const issuedAt = Math.round(now());
    ctx.session = { id, issuedAt };
    Object.assign(ctx.sessionOptions, { expires: new Date(issuedAt + ttlMs) });
    await ctx.session.manuallyCommit?.();
    return { id, issuedAt };
  }

  const isDue = ({ issuedAt }: CookieData) => Math.abs(now() - issuedAt) > ttlMs * RENEWAL_AFTER;

  /** Whether the session may still have its short TTL. Later it is confirmed, or it has expired. */
  const isYoung = (issuedAt: number) => now() - issuedAt < lives.unconfirmedTtlSeconds * 1000;

  return {
    existing(ctx, next) {
      const { data } = read(ctx);
      if (data) ctx.state.session = { ...data, confirmed: true };
      return next();
    },
    async establish(ctx, next) {
      const { data, isOfOldKey } = read(ctx);
      const id = data?.id ?? newId();
      const issues = (!data || isOfOldKey || isDue(data)) && store.canRecord(id);
      const current = issues ? await issue(ctx, id) : data;
      const session = current && { ...current, confirmed: data !== undefined };
      if (session) ctx.state.session = session;
      try {
        await next();
      } finally {
        if (session?.confirmed && ctx.state.session && isYoung(session.issuedAt)) {
          void store.record(session);
        }
      }
    },
    async record(ctx, search) {
      const { session } = ctx.state;
      if (!session || isOfAnotherSite(ctx)) return;
      // A search confirms the session, too.
      delete ctx.state.session;
      await store.record(session, { ...search, instantUs: nextInstantUs() });
    },
    async renewId(ctx) {
      await issue(ctx, newId());
    },
  };
}

function newId(): string {
  return randomBytes(ID_BYTES).toString('base64url');
}

/** Shorter than the JSON that koa-session writes by default, which takes a twentieth of a cache hit to read. */
function encode({ id, issuedAt }: CookieData): string {
  return `${id}.${issuedAt}`;
}

function decode(text: string): CookieData {
  const [id = '', issuedAt] = text.split('.');
  return { id, issuedAt: Number(issuedAt) };
}

function valid(_ctx: unknown, { id, issuedAt }: CookieData): boolean {
  return id !== '' && issuedAt > 0 && Number.isFinite(issuedAt);
}

/**
 * Whether a page of another site caused the request, for example by a link or an image, and not by a CORS
 * request of an allowed origin: its visitor has not searched for anything.
 */
function isOfAnotherSite(ctx: AppContext): boolean {
  const isOwn = ['', 'same-origin', 'none'].includes(ctx.get('Sec-Fetch-Site'));
  return !isOwn && !ctx.res.hasHeader('Access-Control-Allow-Origin');
}
