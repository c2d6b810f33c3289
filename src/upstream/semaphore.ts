/** Creates a semaphore: at most `slots` callers have a slot, and further ones wait for it, in order. */
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
    /** Waits for a slot. Returns a function that releases it. @throws the signal's reason if the signal aborts first */
    async acquire(signal?: AbortSignal): Promise<() => void> {
      signal?.throwIfAborted();
      if (taken < slots) return take();
      return new Promise((resolve, reject) => {
        const proceed = () => {
          signal?.removeEventListener('abort', leave);
          // Taken at once, so that no other caller can take the slot first.
          resolve(take());
        };
        const leave = () => {
          waiting.delete(proceed);
          reject(signal?.reason as Error);
        };
        waiting.add(proceed);
        signal?.addEventListener('abort', leave);
      });
    },
  };
}
