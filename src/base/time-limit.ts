export interface TimeLimit {
  /** The caller's signal. If it aborts, the work ends and its reason is thrown. */
  signal?: AbortSignal | undefined;
  /** Milliseconds after which the work is aborted. */
  limitMs: number;
  /** Makes the error that is thrown after `limitMs`. */
  late: () => Error;
}

/** Milliseconds that a timer may be late before this process counts as delayed. */
const MAX_TIMER_DELAY_MS = 50;
/** The longest extra time in milliseconds that a call gets because this process was delayed. */
const MAX_EXTENSION_MS = 1000;

/**
 * Runs a callback after `delayMs` milliseconds. If this process was delayed, data that arrived
 * meanwhile is read first. Node.js runs timers before it reads sockets, so the callback waits until
 * the event loop has read all data that has arrived. If the timer fires late, because the process
 * was stopped or busy, it starts once more with as much time as it was late.
 * @returns a function that stops the timer
 */
export function startTimer(delayMs: number, callback: () => void): () => void {
  // The deadline may have passed. From version 24 on, Node.js warns of a negative delay.
  const futureMs = Math.max(1, delayMs);
  const dueAt = performance.now() + futureMs;
  let immediate: NodeJS.Immediate | undefined;
  let timer = setTimeout(() => {
    const lateMs = performance.now() - dueAt;
    if (lateMs <= MAX_TIMER_DELAY_MS) afterReading();
    else timer = setTimeout(afterReading, Math.min(lateMs, MAX_EXTENSION_MS));
  }, futureMs);

  function afterReading(): void {
    immediate = setImmediate(callback);
  }

  return () => {
    clearTimeout(timer);
    clearImmediate(immediate);
  };
}

/**
 * Waits for a promise within a time limit, measured as in `startTimer`. The work behind the promise
 * continues. @throws what the promise rejects with, or the error of `late`
 */
export function inTime<T>(promise: Promise<T>, limitMs: number, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = startTimer(limitMs, () => {
      reject(late());
    });
    const stopAnd =
      <U>(settle: (value: U) => void) =>
      (value: U) => {
        stop();
        settle(value);
      };
    promise.then(stopAnd(resolve), stopAnd(reject));
  });
}

/**
 * Does work within a time limit, measured as in `startTimer`. Its signal aborts when the caller's
 * signal does, or when the time is up, and the promise then settles at once. Instead, the timer of
 * `AbortSignal.any([signal, AbortSignal.timeout(limitMs)])` would continue after the work, and up
 * to Node.js 22 each call would leak memory (measured with 20.20 and 22.23; not with 24.21).
 */
export async function withTimeLimit<T>(
  { signal, limitMs, late }: TimeLimit,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const aborted = new Promise<never>((_resolve, reject) => {
    controller.signal.addEventListener('abort', () => {
      reject(controller.signal.reason as Error);
    });
  });
  const follow = () => {
    controller.abort(signal?.reason);
  };
  const stop = startTimer(limitMs, () => {
    controller.abort(late());
  });
  signal?.addEventListener('abort', follow, { once: true });
  try {
    return await Promise.race([work(controller.signal), aborted]);
  } finally {
    stop();
    signal?.removeEventListener('abort', follow);
  }
}
