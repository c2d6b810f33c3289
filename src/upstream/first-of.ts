import { ServiceUnavailableError, UpstreamError } from '../base/errors.js';
import type { AttributedValue } from '../weather/cache-entry.js';
import type { Ability, WeatherProvider } from './weather-provider.js';
import { DAY_MS } from '../weather/durations.js';
import type { UpstreamCall, ZonedPoint } from '../weather/types.js';
import { isOverBudget, waitForBudget } from './call-budgets.js';
import { createCallPolicy, PROVIDER_BREAKER, type PolicyOptions } from './policy.js';

/** Maximum `Retry-After` in milliseconds, also if no provider can be called. */
const MAX_RETRY_AFTER_MS = DAY_MS;

/**
 * Calls the providers in order until one supplies a value (failover). If none does, waits for the
 * providers whose budget is used up, and calls them again.
 * @param abilityOf selects the ability to call; a provider without it is skipped
 * @throws ServiceUnavailableError if no provider supplies a value; its message contains the failure of each
 * @throws the signal's reason if the signal aborts during a call
 */
type FirstOf = <Value>(
  abilityOf: (provider: WeatherProvider) => Ability<Value> | undefined,
  point: ZonedPoint,
  call: UpstreamCall,
) => Promise<AttributedValue<Value>>;

/** @param providers in the order of failover */
export function createFirstOf(providers: WeatherProvider[], options: PolicyOptions): FirstOf {
  const chain = providers.map((provider) => ({
    provider,
    policy: createCallPolicy(provider.name, options),
  }));

  return async <Value>(
    abilityOf: (provider: WeatherProvider) => Ability<Value> | undefined,
    point: ZonedPoint,
    fetchCall: UpstreamCall,
  ) => {
    const { signal } = fetchCall;
    const offering = chain.flatMap((link) => {
      const ability = abilityOf(link.provider);
      return ability ? [{ ...link, ability }] : [];
    });
    if (offering.length === 0) throw unavailable('No weather provider offers this', []);
    let links = offering.filter(({ provider }) => provider.covers?.(point) !== false);
    if (links.length === 0) throw unavailable('No weather provider covers this place', []);
    /** The last failure of each provider. */
    const failures = new Map<string, UpstreamError>();

    async function callInOrder(): Promise<AttributedValue<Value>> {
      const overBudget = new Map<(typeof links)[number], UpstreamError>();
      let last: unknown;
      for (const link of links) {
        const { name } = link.provider;
        try {
          const call = () => link.ability(point, signal);
          return { ...(await link.policy({ ...fetchCall, call })), provider: name };
        } catch (error) {
          if (!(error instanceof UpstreamError)) throw error;
          failures.set(name, error);
          if (isOverBudget(error)) overBudget.set(link, error);
          last = error;
        }
      }
      links = [...overBudget.keys()];
      throw [...overBudget.values()].sort((a, b) => waitOf(a) - waitOf(b))[0] ?? last;
    }

    try {
      return await waitForBudget(options.clock, signal, callInOrder);
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      throw unavailable('No weather provider gave an answer', [...failures.values()]);
    }
  };
}

/** Only the message of this error reaches other processes. */
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
