import type { RequestGroup } from '../limits/limiter.js';
import type { Answer, RequestLogFields } from './answer.js';
import type { AppContext } from './context.js';
import type { Target } from './input/request-target.js';

/** A route: requests with this method for these paths have this answer. A GET route also serves HEAD. */
export interface Route {
  method: 'get' | 'post' | 'delete';
  paths: string[];
  /** The names of the query parameters that it reads. Absent: others are not reported to the client. */
  parameters?: readonly string[];
  /** The limits that count its requests. Absent: it has no limits. */
  group?: RequestGroup;
  /** Whether requests that waited too long are shed. Absent: if the route has limits. */
  isShed?: boolean;
  /** Whether its responses are the same for everybody. Rate limit headers then come only with a rejection. */
  isPublic?: boolean;
  /** `establish` begins or renews the session of a request, `existing` only reads it. Absent: there is no session. */
  session?: 'establish' | 'existing';
  /** Whether this is a probe of the platform. Its record is at DEBUG. */
  isProbe?: boolean;
  /** Whether metrics count it under the route `none`. */
  isUncounted?: boolean;
  /** Returns the log fields of a request that is rejected before `answer` is called. Never throws. */
  logFieldsOf?: (target: Target) => RequestLogFields;
  /** Reads the request, and returns the answer. It must not write to `ctx.res`; only koa-session sets its cookie there. */
  answer: (ctx: AppContext) => Answer | Promise<Answer>;
}
