import { randomBytes } from 'node:crypto';
import type Koa from 'koa';
import { createSession } from 'koa-session';
import { createLru } from '../../lru.js';
import type { Logger } from '../../process/log.js';
import {
  createInstants,
  type Search,
  type SessionTtls,
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

/**
 * Maximum number of `Cookie` headers per scheme whose session is memoized, and their maximum length in characters:
 * about 12 MB. Verifying a cookie takes three HMACs for each key, which is more than a quarter of a cache hit.
 */
const MAX_MEMOIZED = 10_000;
const MAX_MEMOIZED_LENGTH = 500;

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
  session: CookieData & { isNew?: boolean; save?(): Promise<void> };
  sessionOptions: object;
}

export interface SessionOptions {
  store: Sessions;
  ttls: SessionTtls;
  /** Logs a warning once if cookies go over plain HTTP. Undefined if that is expected. */
  warnInsecure: Logger | undefined;
  /** Unix time in milliseconds. */
  now: () => number;
}

export type RequestSessions = ReturnType<typeof sessions>;

/**
 * Creates the middleware of sessions. koa-session reads, verifies, signs, and issues their cookies, which hold
 * everything that a request needs: the ID, and the time of issue. The recent searches are in the store.
 */
export function sessions(app: Koa<RequestState>, options: SessionOptions) {
  const { store, ttls, now } = options;
  const ttlMs = ttls.ttlSeconds * 1000;
  const nextInstantUs = createInstants(now);
  let { warnInsecure } = options;

  // The cookie expires by `expires` below: `maxAge` would use the clock of this process, which may be wrong.
  createSession({ maxAge: 'session', autoCommit: false, encode, decode, valid }, app);

  // Only headers that koa-session has verified are added, and a header is found only as a whole. Other keys need
  // a new process.
  const overTls = createLru<string, CookieData>(MAX_MEMOIZED);
  const overHttp = createLru<string, CookieData>(MAX_MEMOIZED);

  /** Reads the cookie of the request's scheme. Returns undefined if it is absent or not valid. */
  function read(context: AppContext): CookieData | undefined {
    const { cookie } = context.req.headers;
    if (cookie === undefined) return undefined;
    const memoized = context.state.secure ? overTls : overHttp;
    const known = memoized.get(cookie);
    if (known) return known;
    const ctx = withOptionsOfScheme(context);
    const { isNew, id, issuedAt } = ctx.session;
    // Koa signs a cookie of an old key again, and removes a wrong signature, but without the attributes of the cookie:
    // browsers would keep two signatures. `issue` sets both cookies.
    ctx.remove('Set-Cookie');
    if (isNew) return undefined;
    const data = { id, issuedAt };
    if (cookie.length <= MAX_MEMOIZED_LENGTH) memoized.set(cookie, data);
    return data;
  }

  async function issue(context: AppContext, id: string): Promise<CookieData> {
    const ctx = withOptionsOfScheme(context);
    const { secure, requestId } = ctx.state;
    if (!secure) {
      warnInsecure?.warn({ event: 'insecure_session_cookie', request_id: requestId });
      warnInsecure = undefined;
    }
    const issuedAt = Math.round(now());
    ctx.session = { id, issuedAt };
    Object.assign(ctx.sessionOptions, { expires: new Date(issuedAt + ttlMs) });
    await ctx.session.save?.();
    return { id, issuedAt };
  }

  const isDue = ({ issuedAt }: CookieData) => Math.abs(now() - issuedAt) > ttlMs * RENEWAL_AFTER;

  /** Whether the session may still have its short TTL. Later it is confirmed, or it has expired. */
  const isYoung = (issuedAt: number) => now() - issuedAt < ttls.unconfirmedTtlSeconds * 1000;

  return {
    /** Reads the session of a request. Creates none, and issues no cookie. */
    existing: ((ctx, next) => {
      const data = read(ctx);
      if (data) ctx.state.session = { ...data, confirmed: true };
      return next();
    }) satisfies AppMiddleware,

    /** Gives a weather request its session, and its response a cookie if one is due. */
    establish: (async (ctx, next) => {
      const data = read(ctx);
      const id = data?.id ?? newId();
      const issues = (!data || isDue(data)) && store.canRecord(id);
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
    }) satisfies AppMiddleware,

    /**
     * Records a search of the request's session, with the present as the instant of its response. The response waits
     * for it.
     */
    async record(ctx: AppContext, search: Search): Promise<void> {
      const { session } = ctx.state;
      if (!session || isOfAnotherSite(ctx)) return;
      // A search confirms the session, too.
      delete ctx.state.session;
      await store.record(session, { ...search, instantUs: nextInstantUs() });
    },

    /** Gives the request's session a new ID, and its response the cookie with that ID. */
    async renewId(ctx: AppContext): Promise<void> {
      await issue(ctx, newId());
    },
  };
}

/** Sets the options of koa-session that depend on the scheme of the request. */
function withOptionsOfScheme(context: AppContext): AppContext & SessionContext {
  const ctx = context as AppContext & SessionContext;
  const { secure } = ctx.state;
  ctx.cookies.secure = secure;
  Object.assign(ctx.sessionOptions, secure ? OVER_TLS : OVER_HTTP);
  return ctx;
}

function newId(): string {
  return randomBytes(ID_BYTES).toString('base64url');
}

/** Writes the value of the cookie. The JSON that koa-session writes by default would be three times as long. */
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
  const site = ctx.get('Sec-Fetch-Site');
  const isOwn = site === '' || site === 'same-origin' || site === 'none';
  return !isOwn && !ctx.res.hasHeader('Access-Control-Allow-Origin');
}
