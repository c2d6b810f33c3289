import {
  limitsOf,
  type LimitName,
  type Limiter,
  type RateLimits,
  type RequestGroup,
  type Verdict,
} from '../../limits/limiter.js';
import type { WindowState } from '../../limits/rate-limit-window.js';
import type { AppMiddleware } from '../context.js';
import { createRateLimitFields } from '../rate-limit-fields.js';
import { setHeaders } from '../set-headers.js';
import { sendError, HttpError } from '../error-responses.js';

const MEANINGS = { per_ip: 'requests per client address', total: 'requests in total' };

/**
 * Counts requests of one group, rejects them (throttling, 429) above a limit, and sets the headers
 * about the limits. A public response has no such headers, because shared caches store it for all
 * clients. A rejection always has them.
 * @param options.now the clock of this process, which is also that of `Date`, in Unix milliseconds
 * @param options.limits the configured limits
 * @param options.isPublic whether the responses are public
 * @param options.dryRun whether requests above a limit are only reported, and not rejected
 */
export function rateLimit(
  group: RequestGroup,
  limiter: Limiter,
  options: { now: () => number; limits: RateLimits; isPublic: boolean; dryRun: boolean },
): AppMiddleware {
  const { now, limits, isPublic, dryRun } = options;
  const fields = createRateLimitFields(limitsOf(group, limits));
  return async function limit(ctx, next) {
    const { identity } = ctx.state;
    const verdict = await limiter(identity);
    const { rejectedBy } = verdict;
    const state = tightest(verdict);
    if (state && (rejectedBy || !isPublic)) {
      setHeaders(ctx, {
        'X-RateLimit-Limit': String(state.limit),
        'X-RateLimit-Remaining': String(state.remaining),
        'X-RateLimit-Reset': String(Math.ceil((now() + state.resetMs) / 1000)),
        'RateLimit-Policy': fields.policy(verdict),
        RateLimit: fields.state(verdict),
      });
      if (rejectedBy && dryRun) {
        ctx.state.wouldReject = rejectedBy;
        ctx.set('X-RateLimit-Dry-Run', rejectedBy);
      } else if (rejectedBy) {
        ctx.state.rejectedBy = rejectedBy;
        sendError(ctx, exceeded(state, rejectedBy));
        return;
      }
    }
    await next();
  };
}

/** Returns the limit with the fewest requests left, or the limit that resets later if both have the same number left. */
function tightest({ per_ip: own, total }: Verdict): WindowState | undefined {
  if (!own || !total) return own ?? total;
  if (own.remaining !== total.remaining) return own.remaining < total.remaining ? own : total;
  return own.resetMs >= total.resetMs ? own : total;
}

/** Describes the response to a request above a limit. */
function exceeded(
  { limit, resetMs }: Pick<WindowState, 'limit' | 'resetMs'>,
  by: LimitName,
): HttpError {
  const seconds = Math.max(1, Math.ceil(resetMs / 1000));
  return new HttpError(
    429,
    'Rate limit exceeded',
    `The limit of ${limit} ${MEANINGS[by]} is exceeded. Retry in ${seconds} seconds.`,
    { 'Retry-After': String(seconds) },
  );
}
