export type Release = () => void;

/** A bounded number of slots. Whoever finds none free waits in line: first come, first served. */
export interface Semaphore {
  /** A slot, when one is free now. */
  tryAcquire(): Release | undefined;
  /**
   * Waits for a slot for as long as it takes: only the signal ends the wait.
   * @throws the signal's reason when it aborts first
   */
  acquire(signal: AbortSignal): Promise<Release>;
}

/** @param slots how many may be taken at once */
export function createSemaphore(slots: number): Semaphore {
  let taken = 0;
  const waiting = new Set<() => void>();

  function take(): Release {
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

  const tryAcquire = () => (taken < slots ? take() : undefined);

  return {
    tryAcquire,
    async acquire(signal) {
      signal.throwIfAborted();
      const free = tryAcquire();
      if (free) return free;
      return new Promise<Release>((resolve, reject) => {
        const proceed = () => {
          signal.removeEventListener('abort', leave);
          // Taken before anyone else can run: a slot that was handed over cannot be lost.
          resolve(take());
        };
        const leave = () => {
          waiting.delete(proceed);
          reject(signal.reason as Error);
        };
        waiting.add(proceed);
        signal.addEventListener('abort', leave, { once: true });
      });
    },
  };
}
