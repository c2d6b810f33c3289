import { StoreUnavailableError } from '../../errors.js';
import type { Scope } from '../../weather/scope.js';
import { TICK_MS, type LoopClock } from './loop-clock.js';
import type { Wire } from './wire.js';

/** A node that sends nothing for so long while commands wait for their replies is silent. */
export const NODE_PATIENCE_MS = 200;
/** How much the latest reply changes the smoothed reply time. */
const SMOOTHING = 0.1;

/** The caller had no more time to wait for Redis. */
export class GivenUpError extends StoreUnavailableError {
  constructor() {
    super('Redis did not answer in time');
  }
}

/** Waits for the replies of one node. */
export interface Replies {
  /**
   * Waits for a reply, and charges the wait to the scope.
   * @param limitMs the longest wait, in milliseconds
   * @throws GivenUpError when the time is up; the reply may still come
   */
  within<T>(reply: Promise<T>, limitMs: number, scope?: Scope): Promise<T>;
  /** Whether anybody waits, or the node owes a reply. */
  readonly pending: boolean;
  /** Whether `judge` would find anything. */
  isDue(): boolean;
  /** Gives up the waits whose time is up, and tells when the node is silent. */
  judge(): void;
  giveUpAll(): void;
  /** How long a reply takes at the moment, smoothed, in milliseconds. */
  readonly replyMs: number;
}

interface Wait {
  startedAt: number;
  givesUpAt: number;
  scope: Scope | undefined;
  reject(error: Error): void;
}

export interface RepliesOptions {
  clock: LoopClock;
  wire: Wire;
  /** The node was silent for its full patience; told again as long as the silence goes on. */
  onSilent: (forMs: number) => void;
  /** A wait ended, with a reply or without, after so many milliseconds. */
  onEnd: (tookMs: number) => void;
  /** The error to throw instead of the one that the command failed with. */
  failed: (error: unknown) => Error;
}

export function createReplies(options: RepliesOptions): Replies {
  const { clock, wire, onSilent, onEnd, failed } = options;
  const waiting = new Set<Wait>();
  let heardAt = clock.now();
  let bytesHeard = 0;
  let replyMs = 0;

  /** False when it had ended before. */
  function end(wait: Wait, now: number): boolean {
    if (!waiting.delete(wait)) return false;
    wait.scope?.storeTime.end(now);
    onEnd(now - wait.startedAt);
    return true;
  }

  /** The reply came; false when nobody waited for it any more. */
  function leave(wait: Wait): boolean {
    const now = clock.now();
    replyMs += (now - wait.startedAt - replyMs) * SMOOTHING;
    return end(wait, now);
  }

  function giveUp(which: (wait: Wait) => boolean): void {
    for (const wait of waiting) {
      if (!which(wait)) continue;
      end(wait, clock.now());
      wait.reject(new GivenUpError());
    }
  }

  /** Whole replies need not have come: any byte is a sign of life. */
  function listen(now: number): void {
    const bytes = wire.bytesRead();
    if (bytes === bytesHeard && wire.unanswered() > 0) return;
    bytesHeard = bytes;
    heardAt = now;
  }

  const silentMs = (now: number) => now - Math.max(heardAt, clock.awakeSince);
  const isSilent = (now: number) => silentMs(now) >= NODE_PATIENCE_MS;
  // The next tick would be too late by more than this one is too early.
  const isOver = (wait: Wait, now: number) => wait.givesUpAt - now < TICK_MS / 2;

  return {
    get pending() {
      return waiting.size > 0 || wire.unanswered() > 0;
    },
    get replyMs() {
      return replyMs;
    },

    within<T>(reply: Promise<T>, limitMs: number, scope?: Scope): Promise<T> {
      const startedAt = clock.now();
      scope?.storeTime.begin(startedAt);
      return new Promise<T>((resolve, reject) => {
        const wait: Wait = { startedAt, givesUpAt: startedAt + limitMs, scope, reject };
        waiting.add(wait);
        clock.wake();
        reply.then(
          (value) => {
            if (leave(wait)) resolve(value);
          },
          (error: unknown) => {
            const failure = failed(error);
            if (leave(wait)) reject(failure);
          },
        );
      });
    },

    isDue() {
      const now = clock.now();
      listen(now);
      if (isSilent(now)) return true;
      for (const wait of waiting) if (isOver(wait, now)) return true;
      return false;
    },

    judge() {
      const now = clock.now();
      listen(now);
      if (isSilent(now)) {
        onSilent(silentMs(now));
        giveUp(() => true);
      } else giveUp((wait) => isOver(wait, now));
    },

    giveUpAll() {
      giveUp(() => true);
    },
  };
}
