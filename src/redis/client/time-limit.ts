import { StoreUnavailableError } from '../../errors.js';

const TICK_MS = 10;
/** What one turn of the event loop can add at most to loop time, however long it took. */
const MAX_STEP_MS = 15;

/** Redis kept silent for longer than the caller had time for it. */
export class TimeLimitError extends StoreUnavailableError {
  constructor(limitMs: number) {
    super(`Redis was silent for ${Math.round(limitMs)} ms`);
  }
}

/** Waits for the replies of one node, but not longer than their limits. */
export interface TimeLimits {
  /**
   * @param limitMs how much silence of the node this reply is worth
   * @throws TimeLimitError when the node kept silent for longer
   */
  within<T>(reply: Promise<T>, limitMs: number): Promise<T>;
  /** Milliseconds of loop time that passed while anything was waited for. */
  now(): number;
  stop(): void;
}

interface Waiting {
  since: number;
  limitMs: number;
  reject(error: TimeLimitError): void;
}

/**
 * What is measured is the silence of the node, in loop time.
 *
 * Silence: a crowd of requests makes each reply late, because many come before it; as long as any
 * come, the node is well. Loop time: a clock that moves by at most `MAX_STEP_MS` in one turn of the
 * event loop. A process that is busy, or gets no processor, sees its timers before the replies that
 * have long arrived. By the wall clock it would take its own lateness for that of Redis, and a
 * crowd on one cold key would end in as many fetches as there are replicas.
 */
export function createTimeLimits(): TimeLimits {
  const waiting = new Set<Waiting>();
  let loopTime = 0;
  let lastReply = 0;
  let lastTick = 0;
  let ticker: NodeJS.Timeout | undefined;

  const silence = (since: number) => loopTime - Math.max(since, lastReply);

  function tick(): void {
    const now = performance.now();
    loopTime += Math.min(now - lastTick, MAX_STEP_MS);
    lastTick = now;
    for (const entry of waiting) {
      if (silence(entry.since) >= entry.limitMs) entry.reject(new TimeLimitError(entry.limitMs));
    }
    if (waiting.size === 0) stop();
  }

  /** After the silence before a reply has been taken from the budget, it is over. */
  function heard<V>(then: (value: V) => void) {
    return (value: V) => {
      lastReply = loopTime;
      then(value);
    };
  }

  function stop(): void {
    clearInterval(ticker);
    ticker = undefined;
  }

  function start(): void {
    lastTick = performance.now();
    ticker = setInterval(tick, TICK_MS);
  }

  return {
    now: () => loopTime,
    stop,
    within<T>(reply: Promise<T>, limitMs: number): Promise<T> {
      if (!ticker) start();
      return new Promise<T>((resolve, reject) => {
        const entry: Waiting = { since: loopTime, limitMs, reject: settle(reject) };
        function settle<V>(then: (value: V) => void) {
          return (value: V) => {
            waiting.delete(entry);
            then(value);
          };
        }
        waiting.add(entry);
        reply.then(settle(heard(resolve)), settle(heard(reject)));
      });
    },
  };
}
