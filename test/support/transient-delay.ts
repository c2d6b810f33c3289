import { setTimeout as sleep } from 'node:timers/promises';
import type { Relay } from './relay.js';

/**
 * Delays the replies through a relay for a while, as a fork of Redis, a lost packet, or a busy machine does.
 * Loses and reorders nothing.
 * @param lateMs delay of each reply in milliseconds
 * @param forMs duration in milliseconds; the last reply arrives `lateMs` after it
 */
export async function delayReplies(
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
