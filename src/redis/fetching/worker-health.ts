import type { Logger } from '../../process/log.js';

/** Errors that go on for so long are no passing trouble. */
const PATIENCE_MS = 5000;
/** So long after the last error all is well again. */
const QUIET_MS = 10_000;

/** Whether a worker can take jobs, as its own connections to Redis tell. */
export interface WorkerHealth {
  failed(error: Error): void;
  /** False while it fails although Redis is well for the rest of this process. */
  isWell: () => boolean;
}

/** @param now milliseconds of a monotonic clock */
export function createWorkerHealth(options: {
  now: () => number;
  /** What goes wrong then concerns the whole process, and has its own record. */
  isRedisDegraded: () => boolean;
  log: Logger;
}): WorkerHealth {
  const { now, isRedisDegraded, log } = options;
  let firstAt = Infinity;
  let lastAt = -Infinity;
  let told = false;

  return {
    failed(error) {
      const concernsAll = isRedisDegraded();
      if (concernsAll || now() - lastAt > QUIET_MS) {
        firstAt = Infinity;
        told = false;
      }
      if (concernsAll) return;
      lastAt = now();
      firstAt = Math.min(firstAt, lastAt);
      if (told || lastAt - firstAt < PATIENCE_MS) return;
      told = true;
      log.error({ event: 'worker_failing', err: error });
    },
    isWell: () => lastAt - firstAt < PATIENCE_MS || now() - lastAt > QUIET_MS,
  };
}
