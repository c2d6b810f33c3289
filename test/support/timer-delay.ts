/** The delay of timers in this process: the accuracy of its measurements. */
export interface Lateness {
  /** The longest delay of a timer in milliseconds since an instant of the last minute. */
  since(instant: number): number;
  stop(): void;
}

const TICK_MS = 20;
const REMEMBERED_MS = 60_000;
const WORTH_NOTING_MS = 10;

export function measureLateness(): Lateness {
  const late: { at: number; ms: number }[] = [];
  let last = performance.now();
  const ticker = setInterval(() => {
    const now = performance.now();
    const ms = now - last - TICK_MS;
    last = now;
    if (ms > WORTH_NOTING_MS) late.push({ at: now, ms });
    while (late[0] && now - late[0].at > REMEMBERED_MS) late.shift();
  }, TICK_MS);

  return {
    since: (instant) => {
      const ongoing = performance.now() - last - TICK_MS;
      const after = late.filter(({ at }) => at >= instant).map(({ ms }) => ms);
      return Math.max(0, ongoing, ...after);
    },
    stop() {
      clearInterval(ticker);
    },
  };
}
