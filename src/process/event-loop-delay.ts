import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Milliseconds between two measurements. Each wakes up an idle process. */
const RESOLUTION_MS = 20;
/**
 * Milliseconds of one window. A delay is reported for one to two windows, so a scrape in each minute cannot miss it. The
 * maximum of prom-client is that since the last scrape: of two servers that scrape, each would miss a part.
 */
const WINDOW_MS = 60_000;

/** Measures the event loop. Returns a function that returns the longest delay of the last two windows, in seconds. */
export function createEventLoopDelay(windowMs = WINDOW_MS): () => number {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  let previousMax = 0;
  setInterval(() => {
    previousMax = histogram.max;
    histogram.reset();
  }, windowMs).unref();
  return () => Math.max(0, Math.max(previousMax, histogram.max) / 1e9 - RESOLUTION_MS / 1000);
}
