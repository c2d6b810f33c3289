/** The delay of timers in this process: the accuracy of its measurements. */
interface TimerDelay {
  /** The longest delay of a timer in milliseconds since an instant of the last minute. */
  since(instant: number): number;
  stop(): void;
}

const INTERVAL_MS = 20;
const RETAINED_MS = 60_000;
const MIN_DELAY_MS = 10;

export function measureTimerDelay(): TimerDelay {
  const late: { at: number; ms: number }[] = [];
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    const ms = now - last - INTERVAL_MS;
    last = now;
    if (ms > MIN_DELAY_MS) late.push({ at: now, ms });
    while (late[0] && now - late[0].at > RETAINED_MS) late.shift();
  }, INTERVAL_MS);

  return {
    since: (instant) => {
      const ongoing = performance.now() - last - INTERVAL_MS;
      const after = late.filter(({ at }) => at >= instant).map(({ ms }) => ms);
      return Math.max(0, ongoing, ...after);
    },
    stop() {
      clearInterval(timer);
    },
  };
}
