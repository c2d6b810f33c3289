import type { Admission, AdmissionDecision } from '../../limits/admission.js';
import type { AppContext, AppMiddleware } from '../context.js';
import { createRateLimitFields, type RateLimits } from '../rate-limit-fields.js';
import { setHeaders } from '../set-headers.js';
import { HttpError } from './errors.js';

const NAMES = { per_ip: 'requests per client address', total: 'requests in total' };

/**
 * Admits requests or answers 429, and tells in headers how many are left.
 * @param options.now the clock that decides the rate limits, in Unix milliseconds
 * @param options.limits the limits as they are set
 * @param options.dryRun tell what would be refused, and refuse nothing
 */
export function rateLimit(
  admission: Admission,
  { now, limits, dryRun }: { now: () => number; limits: RateLimits; dryRun: boolean },
): Record<'weather' | 'searches' | 'suggestions', AppMiddleware> {
  const usual = createRateLimitFields(limits);
  const ofSuggestions = createRateLimitFields({ ...limits, total: { limit: 0, windowSeconds: 0 } });
  const admit = (
    { policy, state }: typeof usual,
    decide: (ctx: AppContext) => Promise<AdmissionDecision | undefined>,
  ): AppMiddleware =>
    async function limit(ctx, next) {
      const decision = await decide(ctx);
      if (decision) {
        setHeaders(ctx, {
          'X-RateLimit-Limit': String(decision.limit),
          'X-RateLimit-Remaining': String(decision.remaining),
          'X-RateLimit-Reset': String(Math.ceil((now() + decision.resetMs) / 1000)),
          'RateLimit-Policy': policy(decision),
          RateLimit: state(decision),
        });
        if (decision.refusedBy && dryRun) {
          ctx.state.wouldRefuse = decision.refusedBy;
          ctx.set('X-RateLimit-Dry-Run', decision.refusedBy);
        } else if (decision.refusedBy) {
          ctx.state.refusedBy = decision.refusedBy;
          throw exceeded(decision, decision.refusedBy);
        }
      }
      await next();
    };
  return {
    weather: admit(usual, (ctx) => admission.admitWeather(ctx.state.identity, ctx.state.scope)),
    searches: admit(usual, (ctx) => admission.admitSearches(ctx.state.identity, ctx.state.scope)),
    suggestions: admit(ofSuggestions, (ctx) =>
      admission.admitSuggestions(ctx.state.identity, ctx.state.scope),
    ),
  };
}

function exceeded(decision: AdmissionDecision, by: 'per_ip' | 'total'): HttpError {
  const seconds = Math.max(1, Math.ceil(decision.resetMs / 1000));
  return new HttpError(
    429,
    'Rate limit exceeded',
    `The limit of ${decision.limit} ${NAMES[by]} is exceeded. Retry in ${seconds} seconds.`,
    { 'Retry-After': String(seconds) },
  );
}
