import type { Release, Semaphore } from '../../upstream/semaphore.js';

/** The right of one waiter to run a fetch in this process, in its turn. */
export interface Turn {
  /** Whether the waiter has a slot now. */
  readonly isHere: boolean;
  /** Takes a slot when one is free now. */
  tryNow(): void;
  /** Asks for a slot now, instead of later. */
  hurry(): void;
  /** Gives the slot back, or stops waiting for one. `hurry` asks again. */
  leave(): void;
}

/**
 * @param slots bounds the fetches that this process runs for itself
 * @param delayMs how long to wait before asking for a slot
 * @param onHere called when the slot is here
 */
export function waitForTurn(slots: Semaphore, delayMs: number, onHere: () => void): Turn {
  let slot: Release | undefined;
  let waiting: AbortController | undefined;
  let timer: NodeJS.Timeout | undefined = setTimeout(hurry, delayMs);

  function hurry(): void {
    clearTimeout(timer);
    timer = undefined;
    if (slot || waiting) return;
    const mine = (waiting = new AbortController());
    slots.acquire(mine.signal).then(
      (release) => {
        // Given up in the very moment in which the slot came.
        if (mine.signal.aborted) {
          release();
          return;
        }
        waiting = undefined;
        slot = release;
        onHere();
      },
      () => undefined,
    );
  }

  return {
    get isHere() {
      return slot !== undefined;
    },
    tryNow() {
      slot = slots.tryAcquire();
      if (slot) clearTimeout(timer);
    },
    hurry,
    leave() {
      clearTimeout(timer);
      waiting?.abort();
      waiting = undefined;
      slot?.();
      slot = undefined;
    },
  };
}
