import { createFetchLimiter, createLimiter } from '../../src/limits/limiter.js';
import { createMemoryWindows } from '../../src/memory/memory-windows.js';
import { manualClock } from '../support/manual-clock.js';
import { limiterContract } from './limiter.contract.js';

const clock = manualClock();
limiterContract('memory', () => ({
  shared: false,
  open: (processes, limits) =>
    Array.from({ length: processes }, () => {
      const windows = createMemoryWindows({ clock, maxKeys: 100, maxInstants: 10_000 });
      return (kind) => createLimiter(kind, { ...limits, replicasHint: 1 }, windows);
    }),
  openFetches: (processes, fetchesPerIp) =>
    Array.from({ length: processes }, () => {
      const windows = createMemoryWindows({ clock, maxKeys: 100, maxInstants: 10_000 });
      return createFetchLimiter({ fetchesPerIp }, windows);
    }),
  pass(ms) {
    clock.advance(ms);
    return Promise.resolve();
  },
}));
