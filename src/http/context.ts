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
  /** The session that the cookie names. Absent: no cookie, or none that is signed by us. */
  cookie?: SessionCookie | undefined;
  /** The session of a weather request. Absent: the store takes none at present. */
  session?: Session;
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
  /** When it was issued, in Unix milliseconds. Undefined: by a version before 3.0.0. */
  issuedAt: number | undefined;
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
