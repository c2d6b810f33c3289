import type { Context, Middleware } from 'koa';
import type { Scope } from '../weather/scope.js';

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
  session?: RequestSession;
  /** Fields of the `weather_request` record; set as soon as the request is known to be one. */
  weather?: WeatherFields;
  /** Health probes are frequent and dull: their records are at DEBUG. */
  probe?: boolean;
  /** The limit that refused it. */
  refusedBy?: 'per_ip' | 'total';
  /** What went wrong, for the record. */
  error?: unknown;
}

/** The session of a request. `undefined` in its place: the store is away, the cookie stays as it is. */
export interface RequestSession {
  id: string;
  isNew: boolean;
  /** Prolongs the session's life after a search. @throws StoreUnavailableError */
  renew(): Promise<void>;
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
