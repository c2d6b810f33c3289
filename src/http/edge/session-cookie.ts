import { randomBytes } from 'node:crypto';
import type Koa from 'koa';
import { createSession } from 'koa-session';
import { createLru } from '../../base/lru.js';
import type { Logger } from '../../process/log.js';
import {
  createResponseTimes,
  type Search,
  type SessionTtls,
  type Sessions,
} from '../../weather/recent-searches.js';
import type { Clock } from '../../weather/types.js';
import type { AppContext, RequestState } from '../context.js';

/** Fraction of the TTL after which a cookie is renewed. Signing takes longer than a cache hit. */
const RENEWAL_AFTER = 0.05;
const ID_BYTES = 18;

/**
 * `Cookie` headers whose session is memoized: about 6 MB. Without the memo, a hit takes 1.4 times
 * the CPU time: verifying a cookie takes three HMACs for each key.
 */
const MAX_MEMOIZED = 10_000;
const MAX_MEMOIZED_LENGTH = 500;

/** Options by scheme. No other host of the domain can set a cookie with the prefix `__Host-`. */
const OVER_TLS = { key: '__Host-session', secure: true, sameSite: 'none', partitioned: true };
const OVER_HTTP = { key: 'session', secure: false, sameSite: 'lax', partitioned: false };

interface CookieData {
  id: string;
  /** Unix time in milliseconds at which the cookie was issued. */
  issuedAt: number;
}

/** The members that koa-session adds to the context. */
interface SessionContext {
  session: CookieData & { isNew?: boolean; save?(): Promise<void> };
  sessionOptions: object;
}

interface SessionOptions {
  store: Sessions;
  ttls: SessionTtls;
  /** Logs once that cookies go over plain HTTP. Undefined if that is expected. */
  warnInsecure: Logger | undefined;
  clock: Clock;
}

export type RequestSessions = ReturnType<typeof createSessions>;

/** Creates the sessions of requests. koa-session reads, verifies, signs, and issues cookies. */
export function createSessions(app: Koa<RequestState>, options: SessionOptions) {
  const { store, ttls, clock } = options;
  const ttlMs = ttls.ttlSeconds * 1000;
  const nextResponseUs = createResponseTimes(() => clock.monotonic());
  let { warnInsecure } = options;

  createSession({ ...OVER_HTTP, maxAge: ttlMs, encode, decode }, app);

  /** Headers that koa-session has verified. The keys do not change while the process runs. */
  const memoized = createLru<string, CookieData & { secure: boolean }>(MAX_MEMOIZED);

  /** Reads the cookie of the request's scheme. */
  function readCookie(context: AppContext): CookieData | undefined {
    const { cookie } = context.req.headers;
    if (cookie === undefined) return undefined;
    const { secure } = context.state;
    const memoizedData = memoized.get(cookie);
    if (memoizedData?.secure === secure) return memoizedData;
    const ctx = withOptionsOfScheme(context);
    const { isNew, id, issuedAt } = ctx.session;
    // Koa signs a cookie of an old key again, and removes a wrong signature, but without their
    // attributes: browsers would keep two signatures. `issue` sets both cookies.
    ctx.remove('Set-Cookie');
    if (isNew) return undefined;
    const data = { id, issuedAt, secure };
    if (cookie.length <= MAX_MEMOIZED_LENGTH) memoized.set(cookie, data);
    return data;
  }

  async function issue(context: AppContext, id: string): Promise<void> {
    const ctx = withOptionsOfScheme(context);
    const { secure, requestId } = ctx.state;
    if (!secure) {
      warnInsecure?.warn({ event: 'insecure_session_cookie', request_id: requestId });
      warnInsecure = undefined;
    }
    ctx.session = { id, issuedAt: Math.round(clock.now()) };
    await ctx.session.save?.();
  }

  return {
    /**
     * Sets the session of a request.
     * @param mode `existing` only reads it; `establish` issues a cookie if the session is new or
     *   its cookie must be renewed
     * @returns whether `close` must confirm the session if the request is not a search
     */
    async open(ctx: AppContext, mode: 'existing' | 'establish'): Promise<boolean> {
      const data = readCookie(ctx);
      if (data) ctx.state.session = { id: data.id, confirmed: true };
      if (mode === 'existing') return false;
      // The age is negative if the replica that issued the cookie has a clock that is ahead.
      const ageMs = data ? clock.now() - data.issuedAt : Infinity;
      if (ageMs <= ttlMs * RENEWAL_AFTER || !store.canRecord()) {
        // A session whose cookie is older than that has been confirmed, or has expired.
        return ageMs < ttls.unconfirmedTtlSeconds * 1000;
      }
      const id = data?.id ?? newId();
      await issue(ctx, id);
      ctx.state.session = { id, confirmed: data !== undefined };
      return data !== undefined;
    },

    /** Records the search of a request, or else confirms its session. Waits for the recording. */
    async close(ctx: AppContext, mustConfirm: boolean, search: Search | undefined): Promise<void> {
      const { session } = ctx.state;
      if (search && !isOfAnotherSite(ctx)) {
        // A search also confirms the session.
        if (session) await store.record(session, { ...search, respondedAtUs: nextResponseUs() });
        else store.lost();
      } else if (session && mustConfirm) void store.record(session);
    },

    renewId: (ctx: AppContext) => issue(ctx, newId()),
  };
}

function withOptionsOfScheme(context: AppContext): AppContext & SessionContext {
  const ctx = context as AppContext & SessionContext;
  const { secure } = ctx.state;
  ctx.cookies.secure = secure;
  // Plain HTTP is the default: adding options costs a tenth of a hit that begins a session.
  if (secure) Object.assign(ctx.sessionOptions, OVER_TLS);
  return ctx;
}

function newId(): string {
  return randomBytes(ID_BYTES).toString('base64url');
}

/** Writes the value of the cookie. The JSON of koa-session would be three times as long. */
function encode({ id, issuedAt }: CookieData): string {
  return `${id}.${issuedAt}`;
}

/** Returns undefined for another format: koa-session then begins a new session. */
function decode(text: string): CookieData | undefined {
  const [, id, issuedAt] = /^([^.]+)\.(\d{1,15})$/.exec(text) ?? [];
  return id === undefined ? undefined : { id, issuedAt: Number(issuedAt) };
}

/** Whether a page of another site caused the request, such as by an image, without CORS. */
function isOfAnotherSite({ req, state }: AppContext): boolean {
  const site = req.headers['sec-fetch-site'] ?? '';
  const isOwn = site === '' || site === 'same-origin' || site === 'none';
  return !isOwn && state.corsHeaders.length === 0;
}
