import { setTimeout as sleep } from 'node:timers/promises';
import { ownLoad } from './own-load.js';
import type { CountingRelay, Traffic } from './relay.js';

/** Commands that nobody waits for may go out after the answer. */
const AFTERMATH_MS = 10;
const WARM_UP = 20;

/**
 * What passes the relay while one request after the other is answered, for each of them: the trips
 * until the answer, and the commands until shortly after it. Take the median: now and then a
 * command of the background, such as a probe, is among them.
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
    const counts = await ownLoad({ port, connections: 1, next: () => requests.pop() });
    if (counts.get(status) !== 1) throw new Error(`an answer was ${[...counts.keys()].join()}`);
    const { trips } = relay.traffic();
    await sleep(AFTERMATH_MS);
    if (i >= 0) found.push({ commands: relay.traffic().commands, trips });
  }
  return found;
}
