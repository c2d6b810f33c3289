import type { Logger } from 'pino';
import { ServiceUnavailableError, UpstreamError } from '../errors.js';
import type { Instruments } from '../process/instruments.js';
import type { Clock, Point, ProvidedWeather, WeatherProvider } from '../weather/types.js';
import { BREAKER_POLICY, type Breakers } from './breakers.js';
import { createGuard, type Guard } from './guard.js';
import type { Reports } from './reports.js';

export interface Failover {
  /**
   * @throws ServiceUnavailableError when every provider failed or is not to be asked now
   * @throws the signal's reason when it aborts
   */
  current(point: Point, signal: AbortSignal): Promise<ProvidedWeather>;
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
  const chain = providers.map((provider) => ({
    provider,
    guard: createGuard({ name: provider.name, ...guarding }),
  }));

  async function kept(provider: WeatherProvider, point: Point) {
    const answer = await provider.kept?.(point);
    if (answer) instruments.upstreamCallSaved(provider.name);
    return answer;
  }

  /** @param waitMs how long the call may wait for the provider's budget */
  async function ask({ provider, guard }: Link, point: Point, signal: AbortSignal, waitMs = 0) {
    const weather = await guard(signal, () => provider.current(point, signal), waitMs);
    if (provider.name === 'demo') log.warn({ event: 'demo_provider_used' });
    return { weather, provider: provider.name, ageMs: 0 };
  }

  return {
    async current(point, signal) {
      const until = clock.monotonic() + patienceMs;
      const failures: UpstreamError[] = [];
      const passedOver: { link: Link; waitMs: number }[] = [];
      const failed = (link: Link, error: unknown) => {
        signal.throwIfAborted();
        if (!(error instanceof UpstreamError)) throw error;
        failures.push(error);
        const waitMs = error.retryAfterMs ?? 0;
        if (error.kind === 'over_budget') passedOver.push({ link, waitMs });
      };
      for (const link of chain) {
        const { provider } = link;
        if (provider.covers?.(point) === false) continue;
        try {
          const answer = await kept(provider, point);
          if (answer) return { ...answer, provider: provider.name };
          return await ask(link, point, signal);
        } catch (error) {
          failed(link, error);
        }
      }
      const soonestFirst = passedOver.splice(0).sort((a, b) => a.waitMs - b.waitMs);
      for (const { link } of soonestFirst) {
        try {
          return await ask(link, point, signal, Math.max(1, until - clock.monotonic()));
        } catch (error) {
          failed(link, error);
        }
      }
      throw new ServiceUnavailableError('No weather provider gave an answer', {
        cause: failures.at(-1),
        retryAfterMs: Math.min(
          ...failures.map((failure) => failure.retryAfterMs ?? BREAKER_POLICY.firstOpenMs),
          MAX_RETRY_AFTER_MS,
        ),
      });
    },
  };
}
