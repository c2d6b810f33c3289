import { openRelay } from '../../../test/support/relay.js';
import { commandReader } from './resp.js';

/** An address in front of Redis that counts what passes, and is late. */
export interface CountingRelay {
  readonly port: number;
  reset(): void;
  /** The names of the commands since the last `reset`, in upper case. */
  commands(): string[];
  close(): void;
}

/** @param lateMs so much later than Redis its replies come */
export async function startCountingRelay(target: number, lateMs = 0): Promise<CountingRelay> {
  let commands: string[] = [];
  const relay = await openRelay(target, {
    sent: () => commandReader((name) => commands.push(name)),
    received: () => undefined,
  });
  relay.delayBy(lateMs);
  return {
    port: relay.port,
    reset() {
      commands = [];
    },
    commands: () => [...commands],
    close() {
      relay.close();
    },
  };
}
