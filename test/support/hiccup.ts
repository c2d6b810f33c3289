import { setTimeout as sleep } from 'node:timers/promises';
import type { Relay } from './relay.js';

/**
 * Makes what comes back through a relay late once, as a fork of Redis, a lost packet or a busy
 * neighbour does. Nothing is lost, and the order is kept. One process's own relay: a hiccup of that
 * process; a relay that all share: of all.
 * @param lateMs how late each reply is
 * @param forMs for how long; replies sent in this time may still arrive `lateMs` after it
 */
export async function hiccup(
  relay: Pick<Relay, 'delayBy'>,
  lateMs: number,
  forMs: number,
): Promise<void> {
  relay.delayBy(lateMs);
  try {
    await sleep(forMs);
  } finally {
    relay.delayBy(0);
  }
}
