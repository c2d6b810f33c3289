import type { Context, Middleware } from 'koa';
import type { LimitName } from '../limits/limiter.js';
import type { Scope } from '../weather/request-scope.js';
import type { Session } from '../weather/recent-searches.js';
import type { Answer } from './answer.js';
import type { Target } from './input/request-target.js';

/** The state of a request and its client, without that of the answer. `edge/` sets it. */
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
  /** Names and values of the CORS headers, in turn. Empty: `CORS_ORIGINS` does not allow the origin, or there is none. */
  corsHeaders: readonly string[];
  /** Absent: no route has answered. */
  answer?: Answer;
  /** Undefined: the route has none, or the request has no valid cookie, and the store cannot record a new session now. */
  session: Session | undefined;
  /** Names and values of the headers about the rate limits, in turn. */
  limitHeaders: readonly string[];
  rejectedBy: LimitName | undefined;
  /** The limit that would have rejected the request if this were not a dry run. */
  wouldReject: LimitName | undefined;
}

export type AppContext = Context & { state: RequestState };
export type AppMiddleware = Middleware<RequestState>;
