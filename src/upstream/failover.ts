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
import { createBudgetLine, isOverBudget } from './budget-line.js';
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
  /** When no provider answers, how long to wait for one whose budget is spent, in milliseconds. */
  patienceMs: number;
  clock: Clock;
  log: Logger;
  instruments: Instruments;
}

/** Also when no provider knows the place. */
const MAX_RETRY_AFTER_MS = 86_400_000;

/** What all providers are asked. */
interface Question {
  point: Point;
  signal: AbortSignal;
  about: FetchFields | undefined;
}

interface Link {
  provider: WeatherProvider;
  guard: Guard;
}

/**
 * Asks the providers in order until one answers, each under its concurrency limit, its breaker and
 * its budget. An answer that a provider kept is no call, and needs neither. A provider whose budget
 * is spent is passed over. If no other answers, the call waits for the budget that is free first.
 */
export function createFailover(options: FailoverOptions): Failover {
  const { providers, patienceMs, ...guarding } = options;
  const { clock, log, instruments } = options;
  const line = createBudgetLine(clock);
  const chain = providers.map((provider) => ({
    provider,
    guard: createGuard({ name: provider.name, ...guarding }),
  }));

  async function kept(provider: WeatherProvider, point: Point) {
    const answer = await provider.kept?.(point);
    if (answer) instruments.upstreamCallSaved(provider.name);
    return answer;
  }

  /** @param admitted called when the call may begin */
  async function ask(
    { provider, guard }: Link,
    { point, signal, about }: Question,
    admitted: () => void = () => undefined,
  ): Promise<ProvidedWeather> {
    const call = () => {
      admitted();
      return provider.current(point, signal);
    };
    const weather = await guard(signal, call, about);
    if (provider.name === 'demo') log.warn({ event: 'demo_provider_used' });
    return { weather, provider: provider.name, ageMs: 0 };
  }

  return {
    async current(point, signal, about) {
      const question = { point, signal, about };
      const failures: UpstreamError[] = [];
      const noted = (error: unknown): UpstreamError => {
        signal.throwIfAborted();
        if (!(error instanceof UpstreamError)) throw error;
        failures.push(error);
        return error;
      };
      const passedOver: Link[] = [];
      for (const link of chain) {
        const { provider } = link;
        if (provider.covers?.(point) === false) continue;
        try {
          const answer = await kept(provider, point);
          return answer ? { ...answer, provider: provider.name } : await ask(link, question);
        } catch (error) {
          if (isOverBudget(noted(error))) passedOver.push(link);
        }
      }

      /** Asks those whose budget was spent; throws the refusal that ends first while there is one. */
      async function askAgain(admitted: () => void): Promise<ProvidedWeather> {
        const refusals: UpstreamError[] = [];
        for (const link of passedOver.splice(0)) {
          try {
            return await ask(link, question, admitted);
          } catch (error) {
            const refusal = noted(error);
            if (!isOverBudget(refusal)) continue;
            passedOver.push(link);
            refusals.push(refusal);
          }
        }
        const soonest = refusals.sort((a, b) => waitOf(a) - waitOf(b))[0];
        throw soonest ?? failures.at(-1) ?? new Error('nobody was asked');
      }

      try {
        if (passedOver.length > 0) return await line(signal, patienceMs, askAgain);
      } catch (error) {
        noted(error);
      }
      throw new ServiceUnavailableError(describe(failures), {
        cause: failures.at(-1),
        retryAfterMs: Math.min(...failures.map(waitOf), MAX_RETRY_AFTER_MS),
      });
    },
  };
}

/** The last failure of each provider: of all this, only the message reaches other processes. */
function describe(failures: UpstreamError[]): string {
  if (failures.length === 0) return 'No weather provider covers this place';
  const lastOf = new Map(failures.map(({ upstream, message }) => [upstream, message]));
  return `No weather provider gave an answer: ${[...lastOf.values()].join('; ')}`;
}

function waitOf({ retryAfterMs = BREAKER_POLICY.firstOpenMs }: UpstreamError): number {
  return retryAfterMs;
}
