import { ServiceUnavailableError } from '../errors.js';
import type { Cached, NearCache } from './cache.js';
import type { FetchLine } from './fetch-line.js';
import type { Asked, FetchQueue } from './queue.js';
import { requestKey, type FetchRequest } from './request.js';
import type { Scope, Trace } from './scope.js';
import { withTimeLimit } from './time-limit.js';
import type { Clock } from './types.js';

/** How an answer came about, as `X-Cache` tells it. */
export type CacheOutcome = 'HIT' | 'MISS' | 'COALESCED' | 'STALE';

export interface LookupResult {
  entry: Cached;
  outcome: CacheOutcome;
}

export interface LookupOptions {
  /** This process's own bounded copies. */
  near: NearCache;
  queue: FetchQueue;
  line: FetchLine;
  clock: Clock;
  /** In the last so many milliseconds of its fresh life an entry in demand is refreshed; 0: never. */
  refreshAheadMs: number;
}

/** @throws ServiceUnavailableError when nothing could answer, or not by the deadline */
export type Lookup = (request: FetchRequest, scope: Scope) => Promise<LookupResult>;

/** How often the lookups that wait for a fetch are asked whether there is still hope, in ms. */
const REVIEW_MS = 500;

/** A lookup that several requests of this process may share. */
interface Flight {
  result: Promise<LookupResult>;
  /** The latest deadline of those who wait. */
  deadline: number;
  giveUp: AbortController;
  /** Of the request that began it; names the fetch as soon as that is known. */
  trace: Trace;
  /** What is left of the time that the request which began it may wait for the shared store. */
  storeMs: number;
  /** Counts among the fetches that this process waits for. */
  inLine: boolean;
}

/**
 * Near copy → shared entry → one fetch for all. Concurrent requests of this process for one key
 * share one lookup; those of other processes meet in the queue.
 */
export function createLookup(options: LookupOptions): Lookup {
  const { near, queue, line, clock, refreshAheadMs } = options;
  /** In the order in which they began. */
  const flights = new Map<string, Flight>();
  let review: NodeJS.Timeout | undefined;

  return async (request, scope) => {
    const key = requestKey(request);
    scope.trace.key = key;
    const copy = near.peek(key);
    if (copy && isFresh(copy)) return hit(request, copy, scope.trace);
    const others = flights.get(key);
    const flight = others ?? takeOff(request, key, copy, scope);
    flight.deadline = Math.max(flight.deadline, scope.deadline);
    const result = others ? flight.result.then(joined) : flight.result;
    try {
      return await byDeadline(result, scope.deadline);
    } catch (error) {
      return staleFor(error, copy);
    } finally {
      scope.trace.fetchId = flight.trace.fetchId;
      // Whoever shared the lookup has waited as long for the store.
      scope.storeMs = Math.min(scope.storeMs, flight.storeMs);
    }
  };

  function takeOff(
    request: FetchRequest,
    key: string,
    copy: Cached | undefined,
    { deadline, storeMs, trace }: Scope,
  ): Flight {
    const flight: Flight = {
      deadline,
      storeMs,
      giveUp: new AbortController(),
      trace: { traceId: trace.traceId },
      inLine: false,
      result: Promise.resolve().then(() => fly(request, key, copy, flight)),
    };
    flights.set(key, flight);
    const landed = () => flights.delete(key);
    flight.result.then(landed, landed);
    return flight;
  }

  async function fly(
    request: FetchRequest,
    key: string,
    copy: Cached | undefined,
    flight: Flight,
  ): Promise<LookupResult> {
    const scope: Scope = {
      signal: flight.giveUp.signal,
      get deadline() {
        return flight.deadline;
      },
      get storeMs() {
        return flight.storeMs;
      },
      set storeMs(left) {
        flight.storeMs = left;
      },
      trace: flight.trace,
    };
    const mayFetch = line.hasRoom(flight.deadline);
    // Before the question: of thousands that come at once, only as many begin a fetch as have room.
    if (mayFetch) joinLine(flight);
    try {
      const asked = await queue.ask(request, scope, mayFetch);
      if (asked.kind !== 'entry')
        return await outcomeOf(key, flight, asked, newerOf(asked.stale, copy));
      near.put(key, asked.entry);
      return hit(request, asked.entry, flight.trace);
    } finally {
      leaveLine(flight, false);
    }
  }

  /** The outcome of a fetch, or what is left where none can be begun. */
  async function outcomeOf(
    key: string,
    flight: Flight,
    asked: Exclude<Asked, { kind: 'entry' }>,
    stale: Cached | undefined,
  ): Promise<LookupResult> {
    try {
      if (asked.kind === 'none') throw busy();
      const { entry, caused } = await inLine(flight, asked);
      near.put(key, entry);
      flight.trace.fetchId = entry.fetchId;
      return { entry, outcome: caused ? 'MISS' : 'COALESCED' };
    } catch (error) {
      const result = staleFor(error, stale);
      near.put(key, result.entry);
      return result;
    }
  }

  /** @throws the error, unless the entry may answer in spite of it */
  function staleFor(error: unknown, entry: Cached | undefined): LookupResult {
    const usable = entry && clock.monotonic() < entry.staleUntil;
    if (!usable || !(error instanceof ServiceUnavailableError)) throw error;
    return { entry, outcome: 'STALE' };
  }

  async function inLine(flight: Flight, { end }: Extract<Asked, { kind: 'fetch' }>) {
    joinLine(flight);
    const { signal } = flight.giveUp;
    try {
      return await new Promise<Awaited<typeof end>>((resolve, reject) => {
        signal.addEventListener('abort', () => {
          reject(signal.reason as Error);
        });
        end.then(resolve, reject);
      });
    } finally {
      leaveLine(flight, !signal.aborted);
    }
  }

  function joinLine(flight: Flight): void {
    if (flight.inLine) return;
    flight.inLine = true;
    line.joined();
    review ??= setInterval(giveUpHopeless, REVIEW_MS).unref();
  }

  function leaveLine(flight: Flight, fetched: boolean): void {
    if (!flight.inLine) return;
    flight.inLine = false;
    if (fetched) line.left();
    else line.gaveUp();
  }

  /** The pace may turn out slower than expected: the last in line learn it early. */
  function giveUpHopeless(): void {
    let place = 0;
    for (const flight of flights.values()) {
      if (!flight.inLine) continue;
      place += 1;
      if (!line.canServe(place, flight.deadline)) flight.giveUp.abort(busy());
    }
    if (place > 0) return;
    clearInterval(review);
    review = undefined;
  }

  function busy(): ServiceUnavailableError {
    return new ServiceUnavailableError('Too many fetches are waiting', {
      retryAfterMs: line.expectedMs(),
    });
  }

  function hit(request: FetchRequest, entry: Cached, trace: Trace): LookupResult {
    trace.fetchId = entry.fetchId;
    if (entry.freshUntil - clock.monotonic() <= refreshAheadMs) queue.noteDemand(request, entry);
    return { entry, outcome: 'HIT' };
  }

  function isFresh(entry: Cached): boolean {
    return clock.monotonic() < entry.freshUntil;
  }

  /** The caller stops waiting at its deadline; the lookup goes on for the others. */
  function byDeadline<T>(work: Promise<T>, deadline: number): Promise<T> {
    const limitMs = deadline - clock.monotonic();
    const late = () => new ServiceUnavailableError('The request took too long');
    return withTimeLimit({ limitMs, late }, () => work);
  }
}

/** What Redis has can be older than what this process fetched alone. */
function newerOf(entry: Cached | undefined, copy: Cached | undefined): Cached | undefined {
  return entry && copy && copy.fetchedAt > entry.fetchedAt ? copy : (entry ?? copy);
}

/** Whoever joins a lookup that had to fetch was coalesced; hits and stale answers keep their outcome. */
function joined(result: LookupResult): LookupResult {
  return result.outcome === 'MISS' ? { ...result, outcome: 'COALESCED' } : result;
}
