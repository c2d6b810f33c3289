import { ServiceUnavailableError, UpstreamError } from '../errors.js';
import type { ProviderChain } from '../weather/fetch.js';
import type { FetchCall, Point, ProvidedWeather, WeatherProvider } from '../weather/types.js';
import { BREAKER_POLICY } from './breaker.js';
import { isOverBudget, waitForBudget } from './budgets.js';
import { createGuard, type Guard, type Guarding } from './guard.js';

/** The longest `Retry-After`, also when no provider covers the place. Doubled: it may say two days. */
const MAX_RETRY_AFTER_MS = 86_400_000;

interface Link {
  provider: WeatherProvider;
  guard: Guard;
}

/**
 * Asks the providers in their order until one answers. An answer that a provider kept is no call. A
 * provider whose budget is spent is asked again when no other answers and its budget is free soon.
 */
export function createFailover(providers: WeatherProvider[], guarding: Guarding): ProviderChain {
  const { clock, instruments } = guarding;
  const chain = providers.map((provider) => ({
    provider,
    guard: createGuard(provider.name, guarding),
  }));

  async function ask(
    { provider, guard }: Link,
    point: Point,
    call: FetchCall,
  ): Promise<ProvidedWeather> {
    const { name } = provider;
    const { signal, time } = call;
    async function kept(): Promise<ProvidedWeather | undefined> {
      const answer = await provider.kept?.(point, time);
      if (answer) instruments.upstreamCallSaved(name);
      return answer && { ...answer, provider: name };
    }
    const current = async () => ({
      weather: await provider.current(point, signal, time),
      provider: name,
      ageMs: 0,
    });
    // Before the breaker, and again when the call had to wait for others.
    return (await kept()) ?? (await guard({ ...call, call: current, instead: kept }));
  }

  return {
    async current(point, call) {
      const { signal } = call;
      /** The last failure of each provider. */
      const failures = new Map<string, UpstreamError>();
      let links = chain.filter(({ provider }) => provider.covers?.(point) !== false);

      async function askInTurn(): Promise<ProvidedWeather> {
        const passedOver: { link: Link; error: UpstreamError }[] = [];
        let last: unknown;
        for (const link of links) {
          try {
            return await ask(link, point, call);
          } catch (error) {
            signal.throwIfAborted();
            if (!(error instanceof UpstreamError)) throw error;
            failures.set(link.provider.name, error);
            if (isOverBudget(error)) passedOver.push({ link, error });
            last = error;
          }
        }
        links = passedOver.map(({ link }) => link);
        throw passedOver.map(({ error }) => error).sort(byWait)[0] ?? last;
      }

      try {
        if (links.length > 0) return await waitForBudget(clock, signal, askInTurn);
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof UpstreamError)) throw error;
      }
      const told = [...failures.values()];
      throw new ServiceUnavailableError(describe(told), {
        cause: told.at(-1),
        retryAfterMs: Math.min(...told.map(waitOf), MAX_RETRY_AFTER_MS),
      });
    },
  };
}

/** Of all this, only the message reaches other processes. */
function describe(failures: UpstreamError[]): string {
  if (failures.length === 0) return 'No weather provider covers this place';
  return `No weather provider gave an answer: ${failures.map(({ message }) => message).join('; ')}`;
}

function waitOf({ retryAfterMs = BREAKER_POLICY.firstOpenMs }: UpstreamError): number {
  return retryAfterMs;
}

function byWait(a: UpstreamError, b: UpstreamError): number {
  return waitOf(a) - waitOf(b);
}
