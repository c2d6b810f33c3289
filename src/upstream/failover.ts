import type { Logger } from 'pino';
import { ServiceUnavailableError, UpstreamError } from '../errors.js';
import type { Instruments } from '../process/instruments.js';
import type { Point, Weather, WeatherProvider } from '../weather/types.js';
import { BREAKER_POLICY, type Breakers } from './breakers.js';
import { createGuard } from './guard.js';
import type { Reports } from './reports.js';

export interface Failover {
  /**
   * @throws ServiceUnavailableError when every provider failed or is not to be asked now
   * @throws the signal's reason when it aborts
   */
  current(point: Point, signal: AbortSignal): Promise<{ weather: Weather; provider: string }>;
}

export interface FailoverOptions {
  /** In the order in which they are asked. */
  providers: WeatherProvider[];
  breakers: Breakers;
  reports: Reports;
  /** Calls in flight at one provider, in this process. */
  concurrency: number;
  log: Logger;
  instruments: Instruments;
}

/** Asks the providers in order until one answers, each under its concurrency limit and its breaker. */
export function createFailover(options: FailoverOptions): Failover {
  const { providers, ...guarding } = options;
  const { log } = options;
  const chain = providers.map((provider) => ({
    provider,
    guard: createGuard({ name: provider.name, ...guarding }),
  }));

  return {
    async current(point, signal) {
      const failures: UpstreamError[] = [];
      for (const { provider, guard } of chain) {
        try {
          const weather = await guard(signal, () => provider.current(point, signal));
          if (provider.name === 'demo') log.warn({ event: 'demo_provider_used' });
          return { weather, provider: provider.name };
        } catch (error) {
          signal.throwIfAborted();
          if (!(error instanceof UpstreamError)) throw error;
          failures.push(error);
        }
      }
      throw new ServiceUnavailableError('No weather provider gave an answer', {
        cause: failures.at(-1),
        retryAfterMs: Math.min(
          ...failures.map((failure) => failure.retryAfterMs ?? BREAKER_POLICY.firstOpenMs),
        ),
      });
    },
  };
}
