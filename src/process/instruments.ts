/**
 * What is measured while the service works. The parts tell; `metrics.ts` counts. Everything here is
 * called on the way of requests: it returns at once and never throws.
 */
export interface Instruments {
  /** A response was made. `route` is a pattern, never a path that a client chose. */
  requestServed(request: {
    route: string;
    method: string;
    status: number;
    seconds: number;
    cache: string | undefined;
    refusedBy: string | undefined;
    wouldRefuse: string | undefined;
  }): void;
  /** A request was refused because this process has fallen behind its load. */
  overloadRefused(): void;
  /**
   * One call to an upstream ended.
   * @param outcome `ok`, or the kind of the failure
   * @param reason the message of the failure
   */
  upstreamCalled(provider: string, outcome: string, seconds: number, reason?: string): void;
  /** A Redis command has ended, with a reply or without. */
  redisAnswered(seconds: number): void;
  /** @param fault why Redis is unavailable; undefined if it is available */
  redisUnavailable(fault: { reason: string } | undefined): void;
}

/** Measures nothing. */
export const noInstruments: Instruments = {
  requestServed: () => undefined,
  overloadRefused: () => undefined,
  upstreamCalled: () => undefined,
  redisAnswered: () => undefined,
  redisUnavailable: () => undefined,
};
