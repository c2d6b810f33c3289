import { monitorEventLoopDelay, type IntervalHistogram } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { StoreUnavailableError } from '../errors.js';

/**
 * Waits for a reply, but not longer than `limitMs`.
 *
 * A busy event loop sees the timer before the reply that has long arrived; so when the timer fires,
 * what is in the socket is read first, and only then is the reply late.
 * @throws StoreUnavailableError when it is
 */
export async function within<T>(reply: Promise<T>, limitMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      void nextTurn()
        .then(() => nextTurn())
        .then(() => {
          reject(new TimeLimitError(limitMs));
        });
    }, limitMs);
  });
  try {
    return await Promise.race([reply, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Redis did not answer within the time that the caller had for it. */
export class TimeLimitError extends StoreUnavailableError {
  constructor(limitMs: number) {
    super(`Redis did not answer within ${Math.round(limitMs)} ms`);
  }
}

const RESOLUTION_MS = 10;

/** How late this process itself was lately: that time is not Redis's, and is not held against it. */
export interface LoopDelay {
  recentMs(): number;
  stop(): void;
}

export function watchLoopDelay(): LoopDelay {
  const histogram: IntervalHistogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  let previousMs = 0;
  const timer = setInterval(() => {
    previousMs = histogram.max / 1e6;
    histogram.reset();
  }, 250);
  timer.unref();
  return {
    recentMs: () => Math.max(0, previousMs - RESOLUTION_MS, histogram.max / 1e6 - RESOLUTION_MS),
    stop() {
      clearInterval(timer);
      histogram.disable();
    },
  };
}
