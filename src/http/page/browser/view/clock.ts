/** The clock of the page. Tests have another one. */
export interface Clock {
  /** Milliseconds of a clock that never steps back. */
  now: () => number;
  sleep: (ms: number) => Promise<void>;
}

export const browserClock: Clock = {
  now: () => performance.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};
