import { setTimeout as sleep } from 'node:timers/promises';
import { ownLoad } from './own-load.js';
import type { CountingRelay } from './relay.js';

/** What one request came to. */
export interface Traffic {
  commands: string[];
  /** How long its answer took, in milliseconds. */
  tookMs: number;
}

/** Commands that nobody waits for may go out after the answer. */
const AFTERMATH_MS = 10;
const WARM_UP = 20;

/**
 * What passes the relay while one request after the other is answered, and shortly after. Take the median:
 * now and then a command of the background, such as a probe, is among them.
 * @throws when an answer has another status
 */
export async function trafficOf(
  relay: CountingRelay,
  port: number,
  request: string,
  { status, times }: { status: number; times: number },
): Promise<Traffic[]> {
  const found: Traffic[] = [];
  for (let i = -WARM_UP; i < times; i += 1) {
    relay.reset();
    const requests = [request];
    let tookMs = NaN;
    await ownLoad({
      port,
      connections: 1,
      next: () => requests.pop(),
      onAnswer(answer) {
        if (answer.status !== status) throw new Error(`an answer was ${answer.status}`);
        tookMs = answer.ms;
      },
    });
    await sleep(AFTERMATH_MS);
    if (i >= 0) found.push({ commands: relay.commands(), tookMs });
  }
  return found;
}
