import { openRelay } from '../../../test/support/relay.js';
import { commandReader } from './resp.js';

/** What went through since the last `reset`. */
export interface Traffic {
  /** The commands' names, in upper case. */
  commands: string[];
  /**
   * Trips one after the other: how often something was sent after a reply had come, all connections
   * together. What goes out before any reply is one trip, however many commands it is.
   */
  trips: number;
}

/** An address in front of Redis that counts what passes. */
export interface CountingRelay {
  readonly port: number;
  reset(): void;
  traffic(): Traffic;
  close(): void;
}

export async function startCountingRelay(target: number): Promise<CountingRelay> {
  let commands: string[] = [];
  let trips = 0;
  let lastWasSent = false;
  const relay = await openRelay(target, {
    sent() {
      const read = commandReader((name) => commands.push(name));
      return (bytes) => {
        read(bytes);
        if (!lastWasSent) trips += 1;
        lastWasSent = true;
      };
    },
    received() {
      lastWasSent = false;
    },
  });
  return {
    port: relay.port,
    reset() {
      commands = [];
      trips = 0;
      lastWasSent = false;
    },
    traffic: () => ({ commands: [...commands], trips }),
    close() {
      relay.close();
    },
  };
}
