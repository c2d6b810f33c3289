import { NotOfferedError, ServiceUnavailableError, UpstreamError } from '../weather/errors.js';
import type { AttributedValue } from '../weather/cache-entry.js';
import { DAY_MS } from '../weather/time/durations.js';
import type { AbilityName, ValuesByAbility } from '../weather/kinds/kinds.js';
import type { UpstreamCall, ZonedPoint } from '../weather/types.js';
import { isOverBudget, waitForBudget } from './call-budgets.js';
import {
  createCallPolicy,
  PROVIDER_BREAKER,
  type CallPolicy,
  type PolicyOptions,
} from './policy.js';
import type { Ability, SendCall, WeatherProvider } from './weather-provider.js';

/** Maximum `Retry-After`, also if no provider can be called. */
const MAX_RETRY_AFTER_MS = DAY_MS;

/**
 * Creates the function that calls providers in order until one supplies a value (failover).
 * @param providers in the order of failover
 * @param upstreamFor the upstream service that a provider calls for an ability
 */
export function createFailover(
  providers: WeatherProvider[],
  options: PolicyOptions,
  upstreamFor: (provider: string, ability: AbilityName) => string,
) {
  const policies = new Map<string, CallPolicy>();
  const policyOf = (upstream: string): CallPolicy => {
    const policy = policies.get(upstream) ?? createCallPolicy(upstream, options);
    policies.set(upstream, policy);
    return policy;
  };

  /**
   * Calls the providers that have an ability. If none supplies a value, waits for those whose
   * budget is used up, and calls them again.
   * @throws ServiceUnavailableError if no provider supplies a value; its message contains the
   *   failure of each
   * @throws the signal's reason if the signal aborts during a call
   */
  return async <Name extends AbilityName>(
    name: Name,
    point: ZonedPoint,
    fetchCall: UpstreamCall,
  ): Promise<AttributedValue<ValuesByAbility[Name]>> => {
    const { signal } = fetchCall;
    const offering = providers.flatMap((provider) => {
      const ability = provider[name] as Ability<ValuesByAbility[Name]> | undefined;
      return ability
        ? [{ provider, ability, policy: policyOf(upstreamFor(provider.name, name)) }]
        : [];
    });
    let candidates = offering.filter(({ provider }) => provider.covers?.(point) !== false);
    if (candidates.length === 0) throw new NotOfferedError();
    /** The last failure of each provider. */
    const failures = new Map<string, UpstreamError>();

    async function callInOrder() {
      const overBudget = new Map<(typeof candidates)[number], UpstreamError>();
      let lastError: unknown;
      for (const candidate of candidates) {
        const provider = candidate.provider.name;
        try {
          const send: SendCall = (call, signal) => candidate.policy({ ...fetchCall, call, signal });
          const use = () => candidate.ability(point, signal, send);
          const value = await (candidate.provider.sharesCalls ? use() : send(use, signal));
          return { ...value, provider };
        } catch (error) {
          if (!(error instanceof UpstreamError)) throw error;
          failures.set(provider, error);
          if (isOverBudget(error)) overBudget.set(candidate, error);
          lastError = error;
        }
      }
      candidates = [...overBudget.keys()];
      throw [...overBudget.values()].sort((a, b) => waitOf(a) - waitOf(b))[0] ?? lastError;
    }

    try {
      return await waitForBudget(options.clock, signal, callInOrder);
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      throw unavailable('All weather providers failed', [...failures.values()]);
    }
  };
}

/** The message names every failure, because the cause is only the last one. */
function unavailable(what: string, failures: UpstreamError[]): ServiceUnavailableError {
  const message = [what, failures.map((each) => each.message).join('; ')].filter(Boolean);
  return new ServiceUnavailableError(message.join(': '), {
    cause: failures.at(-1),
    retryAfterMs: Math.min(...failures.map(waitOf), MAX_RETRY_AFTER_MS),
  });
}

function waitOf({ retryAfterMs = PROVIDER_BREAKER.firstOpenMs }: UpstreamError): number {
  return retryAfterMs;
}
