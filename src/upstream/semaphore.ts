/**
 * A bounded number of slots. Whoever finds none free waits in line: first come, first served.
 * @param slots how many may be taken at once
 */
export function createSemaphore(slots: number) {
  let taken = 0;
  const waiting = new Set<() => void>();

  /** @returns gives the slot back: call it once */
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

  /** A slot, when one is free now. */
  const tryAcquire = () => (taken < slots ? take() : undefined);

  return {
    tryAcquire,
    /**
     * Waits for a slot for as long as it takes: only the signal ends the wait.
     * @throws the signal's reason when it aborts first
     */
    async acquire(signal: AbortSignal): Promise<() => void> {
      signal.throwIfAborted();
      const free = tryAcquire();
      if (free) return free;
      return new Promise((resolve, reject) => {
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
