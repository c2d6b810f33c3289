import type { Context, Middleware } from 'koa';
import type { LimitName } from '../limits/limiter.js';
import type { Scope } from '../weather/scope.js';
import type { PendingRecord, Search } from '../weather/searches.js';

/** What the middleware know of a request beside Koa's own context. */
export interface RequestState {
  requestId: string;
  /** The client's address, as logged. */
  ip: string;
  /** What the client's requests are counted under: an IPv6 client is its /64. */
  identity: string;
  /** Whether the client came over TLS, as the trusted proxy says. */
  secure: boolean;
  /** What bounds the work for this request. */
  scope: Scope;
  /** The session that the cookie names. Absent: no cookie, or none that is signed by us. */
  cookie?: SessionCookie | undefined;
  /** Gives what is to be recorded of a request, where that is known before it is answered. */
  foresee?: () => PendingRecord | undefined;
  /** What that gave: the limiter may have recorded it. */
  pendingRecord?: PendingRecord | undefined;
  /** The session was kept, with a search. */
  isSessionKept?: boolean;
  /** The search that is saved together with a new session. */
  search?: Search | undefined;
  /** Fields of the `weather_request` record; set as soon as the request is known to be one. */
  weather?: WeatherFields;
  /** Health probes are frequent and dull: their records are at DEBUG. */
  probe?: boolean;
  /** The limit that refused it. */
  refusedBy?: LimitName;
  /** The limit that would have refused it, while limits refuse nothing. */
  wouldRefuse?: LimitName;
  /** What went wrong, for the record. */
  error?: unknown;
}

/** A session cookie with a good signature. */
export interface SessionCookie {
  id: string;
  /** Signed by a key that is on its way out: the cookie is to be issued anew. */
  isOfOldKey: boolean;
}

export interface WeatherFields {
  city: string | null;
  country: string | null;
  latitude?: number | null;
  longitude?: number | null;
  cache?: string;
  provider?: string;
}

export type AppContext = Context & { state: RequestState };
export type AppMiddleware = Middleware<RequestState>;
