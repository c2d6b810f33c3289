import type { Context, Middleware } from 'koa';
import type { LimitName } from '../limits/limiter.js';
import type { Scope } from '../weather/scope.js';
import type { Session } from '../weather/searches.js';
import type { Target } from './target.js';

/** What the middleware know of a request beside Koa's own context. */
export interface RequestState {
  /** What is asked for. */
  target: Target;
  requestId: string;
  /** The client's address, as logged. */
  ip: string;
  /** What the client's requests are counted under: an IPv6 client is its /64. */
  identity: string;
  /** Whether the client came over TLS, as the trusted proxy says. */
  secure: boolean;
  /** What bounds the work for this request. */
  scope: Scope;
  /** The session of the request. Absent: it has no valid cookie, and the store accepts no new session at present. */
  session?: Session;
  /** What a request about a location adds to its record. Set as soon as the request is known to be one. */
  location?: LocationFields;
  /** Health probes are frequent and dull: their records are at DEBUG. */
  probe?: boolean;
  /** The limit that refused it. */
  refusedBy?: LimitName;
  /** The limit that would have refused it, while limits refuse nothing. */
  wouldRefuse?: LimitName;
  /** What went wrong, for the record. */
  error?: unknown;
}

export interface LocationFields {
  /** The name of the kind of question. */
  kind: string;
  city: string | null;
  country: string | null;
  latitude?: number | null;
  longitude?: number | null;
  cache?: string;
  provider?: string;
}

export type AppContext = Context & { state: RequestState };
export type AppMiddleware = Middleware<RequestState>;
