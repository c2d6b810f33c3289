import { withTimeLimit, type TimeLimit } from '../base/time-limit.js';

/** Creates a semaphore: at most `slots` callers have a slot, and others wait in order. */
export function createSemaphore(slots: number) {
  let taken = 0;
  const waiting = new Set<() => void>();

  function take(): () => void {
    taken += 1;
    return () => {
      taken -= 1;
      const [next] = waiting;
      next?.();
    };
  }

  /** Waits until a slot is free. Takes it at once, so that no other caller can take it first. */
  const nextSlot = (signal: AbortSignal) =>
    new Promise<() => void>((resolve) => {
      const proceed = () => {
        waiting.delete(proceed);
        resolve(take());
      };
      waiting.add(proceed);
      signal.addEventListener('abort', () => waiting.delete(proceed));
    });

  return {
    /** Returns the release of a slot. @throws the signal's reason, or the error of `late` */
    async acquire(limit: TimeLimit): Promise<() => void> {
      limit.signal?.throwIfAborted();
      return taken < slots ? take() : withTimeLimit(limit, nextSlot);
    },
  };
}
