/** The events that the service reports to the metrics. The functions never wait or throw. */
export interface Instruments {
  /** A response was sent. `route` is a path or pattern of a route, never a text of the client. */
  requestServed(request: {
    route: string;
    method: string;
    status: number;
    /** The name of the client, if its request has a known key. */
    client?: string | undefined;
    seconds: number;
    cache: string | undefined;
    rejectedBy: string | undefined;
    wouldReject: string | undefined;
  }): void;
  /** A request was shed because it waited too long before it began (load shedding). */
  overloadShed(): void;
  /** A call to an upstream service ended. @param outcome `ok`, or the kind of the failure */
  upstreamCalled(provider: string, outcome: string, seconds: number): void;
  /** A Redis command has ended, with a reply or without. */
  redisReplied(seconds: number): void;
  /** Writes to Redis were lost, because they failed for as long as they were retried. */
  redisWritesLost(data: LostWrite, count: number): void;
  /** Redis became unavailable, rejects writes, or is available again. */
  redisUnavailable(isUnavailable: boolean): void;
}

export type LostWrite = 'search' | 'entry';

export const noInstruments: Instruments = {
  requestServed: () => undefined,
  overloadShed: () => undefined,
  upstreamCalled: () => undefined,
  redisReplied: () => undefined,
  redisWritesLost: () => undefined,
  redisUnavailable: () => undefined,
};
