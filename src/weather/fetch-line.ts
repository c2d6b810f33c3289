import type { Clock } from './types.js';

/** The fetches that have ended, of which the pace is told. */
const REMEMBERED = 32;
/** Fewer ends than this tell nothing about the pace. */
const LEAST_ENDS = 4;
/** Ends before that tell nothing about the pace of now, in milliseconds. */
const RECENT_MS = 10_000;

/**
 * The line of all fetches that this process waits for. By the pace at which they end it tells
 * whether one more can end by its deadline: who cannot be served is refused at once.
 */
export interface FetchLine {
  /** @param deadline in milliseconds of the monotonic clock */
  hasRoom(deadline: number): boolean;
  /** Whether a fetch at a place in the line (1 is the first) can still end by its deadline. */
  canServe(place: number, deadline: number): boolean;
  joined(): void;
  /** A fetch has ended, well or not. */
  left(): void;
  /** A fetch was given up: that tells nothing about the pace. */
  gaveUp(): void;
  /** Milliseconds until a fetch that joins now would have ended. */
  expectedMs(): number;
}

/** @param expectedPerSecond the pace to expect before any fetch has ended */
export function createFetchLine(options: { clock: Clock; expectedPerSecond: number }): FetchLine {
  const { clock, expectedPerSecond } = options;
  const ends: number[] = [];
  let waiting = 0;

  /** Fetches a millisecond. */
  function pace(): number {
    const now = clock.monotonic();
    while (ends.length > 0 && now - (ends[0] ?? now) > RECENT_MS) ends.shift();
    const [first = now] = ends;
    return ends.length < LEAST_ENDS
      ? expectedPerSecond / 1000
      : (ends.length - 1) / Math.max(1, now - first);
  }

  const canServe = (place: number, deadline: number) =>
    place / pace() <= deadline - clock.monotonic();

  return {
    canServe,
    hasRoom: (deadline) => canServe(waiting + 1, deadline),
    joined() {
      waiting += 1;
    },
    gaveUp() {
      waiting -= 1;
    },
    left() {
      waiting -= 1;
      ends.push(clock.monotonic());
      if (ends.length > REMEMBERED) ends.shift();
    },
    expectedMs: () => (waiting + 1) / pace(),
  };
}
