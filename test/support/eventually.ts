import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits until something holds, and asks every 25 ms.
 * @param what for the message when it does not come
 * @param limitMs a time that only a fault can take
 */
export async function eventually(
  holds: () => boolean | Promise<boolean>,
  what: string,
  limitMs = 20_000,
): Promise<void> {
  const deadline = Date.now() + limitMs;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`waited ${limitMs} ms in vain for ${what}`);
    await sleep(25);
  }
}

/** Lets everything run that is due at this moment. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
