import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Polls a condition every 25 ms until it is true.
 * @param what the condition, for the error message
 * @param limitMs much longer than it takes on a busy machine, so that only a fault exceeds it
 */
export async function eventually(
  holds: () => boolean | Promise<boolean>,
  what: string,
  limitMs = 60_000,
): Promise<void> {
  const deadline = Date.now() + limitMs;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`waited ${limitMs} ms in vain for ${what}`);
    await sleep(25);
  }
}

/** Waits for the next event loop iteration: all callbacks that are due have run. */
export function nextIteration(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
