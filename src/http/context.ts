import type { Context, Middleware } from 'koa';
import type { LimitName } from '../limits/limiter.js';
import type { Scope } from '../weather/request-scope.js';
import type { Session } from '../weather/recent-searches.js';
import type { Target } from './request-target.js';

/** The state that the middleware of this service adds to the Koa context of a request. */
export interface RequestState {
  target: Target;
  requestId: string;
  /** The client's address, as logged. */
  ip: string;
  /** The identity that the rate limits count: an IPv6 client is its /64. */
  identity: string;
  /** Whether the request arrived over TLS, as the trusted proxy reports it. */
  secure: boolean;
  /** The abort signal, the deadline, and the log fields of the work for this request. */
  scope: Scope;
  /**
   * The session of the request. Absent: the request has no valid cookie, and the store cannot record a new session
   * now.
   */
  session?: Session;
  /** The log fields of a request about a location. Set for every request to such an endpoint. */
  location?: LocationFields;
  /** What a call of a tool asks for, if it is not about a location. */
  kind?: string;
  /** The protocol whose message the request contains. Absent: the request is plain HTTP. */
  via?: 'mcp';
  /**
   * The status of the request that a call of a tool stands for. Log and metrics have it instead of the status of the
   * response, which is 200 for every call.
   */
  outcome?: number;
  /** Whether this is a probe of the platform. Its record is at DEBUG. */
  probe?: boolean;
  /** The limit that rejected the request. */
  rejectedBy?: LimitName;
  /** The limit that would have rejected the request if this were not a dry run. */
  wouldReject?: LimitName;
  /** The error of the response, for the log record. */
  error?: unknown;
}

export interface LocationFields {
  /** The name of the kind. */
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
