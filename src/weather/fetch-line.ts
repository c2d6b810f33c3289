import type { Clock } from './types.js';

/** The last fetches that have ended: their times tell the pace. */
const REMEMBERED = 32;
/** Fewer ends than this tell nothing about the pace. */
const LEAST_ENDS = 4;
/** Ends before that tell nothing about the pace of now, in milliseconds. */
const RECENT_MS = 10_000;

/**
 * The line of all fetches that this process waits for. Their pace tells whether one more can end by
 * its deadline: what cannot is refused at once, and not after a wait.
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

/**
 * @param slots so many fetches run at the same time; with fewer in line, the pace says only how
 *   often somebody asks
 * @param expectedPerSecond the pace to expect while none is known
 */
export function createFetchLine(options: {
  clock: Clock;
  slots: number;
  expectedPerSecond: number;
}): FetchLine {
  const { clock, slots, expectedPerSecond } = options;
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

  function canServe(place: number, deadline: number): boolean {
    const remainingMs = deadline - clock.monotonic();
    return place <= slots ? remainingMs > 0 : place / pace() <= remainingMs;
  }

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
      if (waiting > slots) ends.push(clock.monotonic());
      else ends.length = 0;
      if (ends.length > REMEMBERED) ends.shift();
      waiting -= 1;
    },
    expectedMs: () => (waiting + 1) / pace(),
  };
}
