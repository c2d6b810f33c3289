import type { Logger } from 'pino';
import { ServiceUnavailableError, UpstreamError } from '../errors.js';
import type { Instruments } from '../process/instruments.js';
import type {
  Clock,
  FetchFields,
  Point,
  ProvidedWeather,
  WeatherProvider,
} from '../weather/types.js';
import { BREAKER_POLICY, type Breakers } from './breakers.js';
import { isOverBudget, waitForBudget } from './budget-wait.js';
import { createGuard, type Guard } from './guard.js';
import type { Reports } from './reports.js';

export interface Failover {
  /**
   * @param about for the records of the calls
   * @throws ServiceUnavailableError when every provider failed or is not to be asked now; its message
   *   names the failure of each
   * @throws the signal's reason when it aborts
   */
  current(point: Point, signal: AbortSignal, about?: FetchFields): Promise<ProvidedWeather>;
}

export interface FailoverOptions {
  /** In the order in which they are asked. */
  providers: WeatherProvider[];
  breakers: Breakers;
  reports: Reports;
  /** Calls in flight at one provider, in this process. */
  concurrency: number;
  clock: Clock;
  log: Logger;
  instruments: Instruments;
}

/** Also when no provider knows the place. */
const MAX_RETRY_AFTER_MS = 86_400_000;

interface Link {
  provider: WeatherProvider;
  guard: Guard;
}

/**
 * Asks the providers in order until one answers, each under its concurrency limit, its breaker and
 * its budget. An answer that a provider kept is no call, and needs neither. A provider whose budget
 * is spent is passed over; it is asked again when no other answers and its budget is free soon.
 */
export function createFailover(options: FailoverOptions): Failover {
  const { providers, ...guarding } = options;
  const { clock, log, instruments } = options;
  const chain = providers.map((provider) => ({
    provider,
    guard: createGuard({ name: provider.name, ...guarding }),
  }));

  async function ask(
    { provider, guard }: Link,
    point: Point,
    signal: AbortSignal,
    about: FetchFields | undefined,
  ): Promise<ProvidedWeather> {
    const { name } = provider;
    const kept = await provider.kept?.(point);
    if (kept) {
      instruments.upstreamCallSaved(name);
      return { ...kept, provider: name };
    }
    const weather = await guard(signal, () => provider.current(point, signal), about);
    if (name === 'demo') log.warn({ event: 'demo_provider_used' });
    return { weather, provider: name, ageMs: 0 };
  }

  return {
    async current(point, signal, about) {
      /** The last failure of each provider. */
      const failures = new Map<string, UpstreamError>();
      let links = chain.filter(({ provider }) => provider.covers?.(point) !== false);

      async function askInTurn(): Promise<ProvidedWeather> {
        const passedOver: { link: Link; error: UpstreamError }[] = [];
        let last: unknown;
        for (const link of links) {
          try {
            return await ask(link, point, signal, about);
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
