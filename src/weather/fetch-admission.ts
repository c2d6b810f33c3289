import { ServiceUnavailableError } from '../errors.js';
import type { Clock } from './types.js';

/** The pace is that of the last fetches that ended. Doubled: a change of pace shows later. */
const REMEMBERED = 32;
/** From fewer ends than this no pace is calculated. Doubled: the expected pace holds for longer. */
const LEAST_ENDS = 4;
/** Ends longer ago do not count. Doubled: a provider that recovered is trusted 10 s later. */
const RECENT_MS = 10_000;
/** How often waiting lookups are checked against their deadlines. Doubled: a refusal 0.5 s later. */
const REVIEW_MS = 500;

/** What one lookup is told when it is admitted. */
export interface Admitted {
  /** Aborts when the fetch cannot end by its deadline any more, and when the process ends. */
  readonly signal: AbortSignal;
  /** Whether a fetch may begin: it can end by its deadline. */
  readonly mayFetch: boolean;
  /** To be called when the lookup waits for a fetch: its end tells the pace. */
  fetches: () => void;
}

/**
 * Admission control of the fetches that this process waits for. Their pace tells whether one more can
 * end by its deadline: what cannot is refused at once, and not after a wait.
 */
export interface FetchAdmission {
  /**
   * Does work that may wait for a fetch.
   * @param deadline the present one, in milliseconds of the monotonic clock
   */
  run<T>(deadline: () => number, work: (admitted: Admitted) => Promise<T>): Promise<T>;
  /** Why a fetch is refused, and when to try again. */
  busy(): ServiceUnavailableError;
}

/**
 * @param slots how many fetches run at once. The pace is measured only while more than these wait:
 *   with fewer it would measure how often clients ask.
 * @param expectedPerSecond the pace to expect while none is known
 * @param ending aborts when the process ends
 */
export function createFetchAdmission(options: {
  clock: Clock;
  slots: number;
  expectedPerSecond: number;
  ending: AbortSignal;
}): FetchAdmission {
  const { clock, slots, expectedPerSecond, ending } = options;
  const ends: number[] = [];
  /** In the order in which they joined. */
  const waiting = new Map<AbortController, () => number>();
  let review: NodeJS.Timeout | undefined;

  ending.addEventListener('abort', () => {
    for (const waiter of waiting.keys()) waiter.abort(ending.reason);
  });

  /** Fetches a millisecond. */
  function pace(): number {
    const now = clock.monotonic();
    while (ends.length > 0 && now - (ends[0] ?? now) > RECENT_MS) ends.shift();
    const [first = now] = ends;
    return ends.length < LEAST_ENDS
      ? expectedPerSecond / 1000
      : (ends.length - 1) / Math.max(1, now - first);
  }

  function noteEnd(): void {
    if (waiting.size > slots) ends.push(clock.monotonic());
    else ends.length = 0;
    if (ends.length > REMEMBERED) ends.shift();
  }

  /** Whether the n-th fetch can end by its deadline. */
  function canEnd(n: number, deadline: number): boolean {
    const remainingMs = deadline - clock.monotonic();
    return n <= slots ? remainingMs > 0 : n / pace() <= remainingMs;
  }

  /** The pace may turn out slower than expected: the newest lookups learn it early. */
  function giveUpLate(): void {
    let n = 0;
    for (const [waiter, deadline] of waiting) {
      n += 1;
      if (!canEnd(n, deadline())) waiter.abort(busy());
    }
    if (n > 0) return;
    clearInterval(review);
    review = undefined;
  }

  function busy(): ServiceUnavailableError {
    const retryAfterMs = (waiting.size + 1) / pace();
    return new ServiceUnavailableError('Too many fetches are waiting', { retryAfterMs });
  }

  return {
    busy,
    async run(deadline, work) {
      const waiter = new AbortController();
      const mayFetch = canEnd(waiting.size + 1, deadline());
      let endsFetch: () => void = () => undefined;
      const join = () => {
        waiting.set(waiter, deadline);
        review ??= setInterval(giveUpLate, REVIEW_MS).unref();
      };
      const fetches = () => {
        endsFetch = noteEnd;
        if (!waiting.has(waiter)) join();
      };
      // Before the work: of thousands that come at once, only as many begin a fetch as have room.
      if (mayFetch) join();
      try {
        return await work({ signal: waiter.signal, mayFetch, fetches });
      } finally {
        if (!waiter.signal.aborted) endsFetch();
        waiting.delete(waiter);
      }
    },
  };
}
