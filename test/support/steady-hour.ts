import { setTimeout as sleep } from 'node:timers/promises';

/** In every time zone, hours and dates begin with a quarter of an hour in UTC. */
const QUARTER_MS = 900_000;
/** Milliseconds that a test may take. */
const TEST_MS = 30_000;

/** Waits for the next quarter of an hour if it is near: no hour or date begins in a test. */
export async function steadyHour(): Promise<void> {
  const leftMs = QUARTER_MS - (Date.now() % QUARTER_MS);
  if (leftMs < TEST_MS) await sleep(leftMs + 1);
}
