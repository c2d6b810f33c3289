import { startTimer } from '../base/time-limit.js';

interface Wait {
  signal: AbortSignal;
  limitMs: number;
  late: () => Error;
}

/** Creates a semaphore: at most `slots` callers have a slot, and others wait in order. */
export function createSemaphore(slots: number) {
  let taken = 0;
  const waiting = new Set<() => void>();

  function take(): () => void {
    taken += 1;
    return () => {
      taken -= 1;
      const [next] = waiting;
      if (next) {
        waiting.delete(next);
        next();
      }
    };
  }

  return {
    /** Returns the release of a slot. @throws the signal's reason, or the error of `late` */
    async acquire({ signal, limitMs, late }: Wait): Promise<() => void> {
      signal.throwIfAborted();
      if (taken < slots) return take();
      return new Promise((resolve, reject) => {
        const stopWaiting = () => {
          waiting.delete(proceed);
          stopTimer();
          signal.removeEventListener('abort', leave);
        };
        const proceed = () => {
          stopWaiting();
          // Taken at once, so that no other caller can take the slot first.
          resolve(take());
        };
        const leave = () => {
          stopWaiting();
          reject((signal.aborted ? signal.reason : late()) as Error);
        };
        const stopTimer = startTimer(limitMs, leave);
        waiting.add(proceed);
        signal.addEventListener('abort', leave);
      });
    },
  };
}
