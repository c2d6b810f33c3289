import type { Logger } from 'pino';

/**
 * Reports to the breakers. They go on in the background, so that no answer waits for the store.
 * None of them ends the process: what goes wrong is logged.
 */
export interface Reports {
  /** Takes a report that is under way. */
  add(report: Promise<void>): void;
  /** Resolves when every report so far has ended. The store's time limit bounds the wait. */
  settled(): Promise<void>;
}

export function createReports(log: Logger): Reports {
  const pending = new Set<Promise<void>>();
  return {
    add(report) {
      const done = report
        .catch((error: unknown) => {
          log.error({ event: 'breaker_report_failed', err: error });
        })
        .finally(() => pending.delete(done));
      pending.add(done);
    },
    async settled() {
      while (pending.size > 0) await Promise.all(pending);
    },
  };
}
