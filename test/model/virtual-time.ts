/** A clock that jumps from one event to the next, so that a simulated minute takes milliseconds. */
export interface VirtualTime {
  /** Milliseconds. */
  readonly now: number;
  /** Runs an event after a delay in virtual milliseconds. */
  after(delayMs: number, event: () => unknown): void;
  /** Runs an event after a delay. Returns a function that cancels it. */
  startTimer: (delayMs: number, event: () => void) => () => void;
  /** Stops virtual time until an operation in real time, such as a Redis command, is complete. */
  waitFor<T>(operation: Promise<T>): Promise<T>;
  sleep(delayMs: number): Promise<void>;
  /** Runs events in the order of their times until none is left. */
  runAll(): Promise<void>;
}

/**
 * Event loop iterations after an event. Until then, everything that the event causes in this
 * process has happened: promises are settled, and batches of the iteration are sent.
 */
const ITERATIONS = 2;

const START_MS = 1_000_000_000_000;

export function createVirtualTime(): VirtualTime {
  let events: { at: number; event: () => unknown }[] = [];
  let operations: Promise<unknown>[] = [];
  const time = {
    now: START_MS,
    after(delayMs: number, event: () => unknown): void {
      events.push({ at: time.now + delayMs, event });
    },
    startTimer(delayMs: number, event: () => void) {
      let isStopped = false;
      time.after(delayMs, () => {
        if (!isStopped) event();
      });
      return () => {
        isStopped = true;
      };
    },
    waitFor<T>(operation: Promise<T>): Promise<T> {
      operations.push(operation);
      return operation;
    },
    sleep: (delayMs: number) =>
      new Promise<void>((resolve) => {
        time.after(delayMs, resolve);
      }),
    async runAll() {
      while (events.length > 0) {
        let next = events[0]!;
        for (const event of events) if (event.at < next.at) next = event;
        events = events.filter((event) => event !== next);
        time.now = next.at;
        next.event();
        await Promise.all(operations);
        operations = [];
        for (let n = 0; n < ITERATIONS; n += 1) await new Promise(setImmediate);
      }
    },
  };
  return time;
}
