import type { Context, Middleware } from 'koa';
import type { NamedClient } from '../limits/clients-file.js';
import type { LimitName, RequestGroup } from '../limits/limiter.js';
import type { Session } from '../weather/recent-searches.js';
import type { Scope } from '../weather/request-scope.js';
import type { Answer, KnownQuery } from './answer.js';
import type { Target } from './input/request-target.js';
import type { Input } from './input/validate.js';
import type { RequestLogFields } from './request-log-fields.js';

/** The answer to requests with this method for these paths. A GET route also serves HEAD. */
export interface Route {
  method: 'get' | 'post' | 'delete';
  /** Constant, or a pattern of @koa/router, such as `/page/:file`. Metrics have them as labels. */
  paths: string[];
  /** The query parameters that it reads. Absent: others are not reported to the client. */
  parameters?: readonly string[];
  /** The fields that it reads of the JSON object in the body. Absent: it reads no object. */
  fields?: readonly string[];
  /** The limits that count its requests. Absent: it has no limits. */
  group?: RequestGroup;
  /** Whether requests that waited too long are shed. Absent: if the route has limits. */
  isShed?: boolean;
  /** Whether its responses are the same for everybody. Only rejections have limit headers. */
  isPublic?: boolean;
  /** `establish` begins or renews a session, `existing` only reads it. Absent: none. */
  session?: 'establish' | 'existing';
  /** Whether this is a probe of the platform. Its record is at DEBUG. */
  isProbe?: boolean;
  /** Whether metrics count it under the route `none`. */
  isUncounted?: boolean;
  /** Returns the log fields of a request that is rejected, or that fails. Never throws. */
  logFieldsOf?: (input: Input, known?: KnownQuery) => RequestLogFields;
  /**
   * Returns the answer, or throws the error that `error-answers.ts` describes. It must not write to
   * `ctx.res`; only koa-session sets its cookie there.
   * @param input the parameters of the query, unless the URL is known, or the fields of the body
   * @param known what is remembered of the last hit for the same URL
   */
  answer: (ctx: AppContext, input: Input, known?: KnownQuery) => Answer | Promise<Answer>;
}

/** The state of a request. Each part that is set later has one owner. */
export interface RequestState {
  readonly target: Target;
  readonly requestId: string;
  /** The client's address, as logged. */
  readonly ip: string;
  /** The identity that the rate limits count: an IPv6 client is its /64. */
  readonly identity: string;
  /** The named client whose key the request has. `unknown`: its key is not known. */
  readonly client: NamedClient | 'unknown' | undefined;
  /** Set by `edge/limits.ts` above the limit on fetches: rejects requests without a stale entry. */
  rejectFetch?: () => Promise<void>;
  /** Whether the request arrived over TLS, as the trusted proxy reports it. */
  readonly secure: boolean;
  /** The abort signal, the deadline, and the log fields of the work for this request. */
  readonly scope: Scope;
  /** Names and values of the CORS headers, in turn. Empty: the origin is absent or not allowed. */
  corsHeaders: readonly string[];
  /** Set by `edge/handle.ts`. Absent: no route has this path and method. */
  route?: Route;
  /** Set by `edge/handle.ts` after `route`. */
  answer?: Answer;
  /** Set by `edge/handle.ts`: parameters and fields without effect. Empty: there is none. */
  ignored: string;
  /** Undefined: the request has no session, or the store cannot record a new one now. */
  session: Session | undefined;
  /** Names and values of the headers about the rate limits, in turn. */
  limitHeaders: readonly string[];
  rejectedBy: LimitName | undefined;
  /** The limit that would have rejected the request if this were not a dry run. */
  wouldReject: LimitName | undefined;
}

export type AppContext = Context & { state: RequestState };
export type AppMiddleware = Middleware<RequestState>;
