import type { Redis } from 'ioredis';
import { LateReplyError, StoreUnavailableError } from '../../errors.js';
import type { Patience } from '../../weather/scope.js';

/**
 * Waits are counted in ticks of a timer of this many milliseconds. A tick that comes late counts once,
 * so a process without processor time does not take its own delay for that of Redis. Doubled: nothing
 * that a user sees, only coarser limits.
 */
export const TICK_MS = 10;
/**
 * Without a byte for so many ticks a node is silent. Doubled: the first requests that meet a hung
 * Redis wait longer.
 */
const SILENT_TICKS = 20;
/**
 * A connection that is silent for so many ticks leads to a frozen master or nowhere. Doubled: a
 * replica follows a failover a second later.
 */
const DEAD_TICKS = 100;

interface Wait {
  patience: Patience;
  giveUp(error: StoreUnavailableError): void;
}

/** Waits for the replies of one node. */
export interface Waits {
  /**
   * Sends a command and waits for its reply for as long as the patience lasts.
   * @throws LateReplyError when it is at its end, StoreUnavailableError when the node is silent
   */
  send<T>(command: () => Promise<T>, patience: Patience): Promise<T>;
  /** Ends all waits: the node is not there any more. */
  giveUpAll(): void;
}

/**
 * @param connection the present connection of the node
 * @param onSilent called each tick while the node is silent and commands wait
 * @param onEnd called when a wait has ended, with a reply or without, and how long it took
 */
export function createWaits(options: {
  connection: () => Redis | undefined;
  onSilent: () => void;
  onEnd: (tookMs: number) => void;
}): Waits {
  const { connection, onSilent, onEnd } = options;
  const waiting = new Set<Wait>();
  let timer: NodeJS.Timeout | undefined;
  let silentTicks = 0;
  let bytesHeard = 0;
  let isCorked = false;

  /** Undefined before the first connection, whatever its type says. */
  function stream(): Redis['stream'] | undefined {
    const redis = connection();
    return redis?.status === 'ready' ? redis.stream : undefined;
  }

  /** Commands without a reply. The client's list of them is not part of its types. */
  function unanswered(): number {
    const redis = connection();
    const queue: unknown = redis && Reflect.get(redis, 'commandQueue');
    return (queue as { length: number } | undefined)?.length ?? 0;
  }

  /**
   * One system call in a round of the event loop instead of one for each command. The client's
   * auto-pipelining costs twice the processor time, and holds commands back while an earlier batch has
   * no reply.
   */
  function oneWriteATurn(): void {
    const socket = isCorked ? undefined : stream();
    if (!socket) return;
    isCorked = true;
    socket.cork();
    setImmediate(() => {
      isCorked = false;
      socket.uncork();
    });
  }

  function onTick(): void {
    // In a round of the event loop timers come before sockets: read what has arrived first.
    setImmediate(count);
  }

  function count(): void {
    const socket = stream();
    const bytes = socket?.bytesRead ?? 0;
    // Whole replies need not have come: any byte is a sign of life.
    const isHeard = !socket || bytes !== bytesHeard || unanswered() === 0;
    silentTicks = isHeard ? 0 : silentTicks + 1;
    bytesHeard = bytes;
    for (const wait of waiting) {
      wait.patience.storeMs -= TICK_MS;
      if (wait.patience.storeMs <= 0) wait.giveUp(new LateReplyError('Redis answers late'));
    }
    if (silentTicks >= SILENT_TICKS) {
      onSilent();
      giveUpAll();
    }
    if (silentTicks >= DEAD_TICKS) socket?.destroy();
    if (waiting.size > 0 || unanswered() > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  function giveUpAll(): void {
    for (const wait of waiting) wait.giveUp(new StoreUnavailableError('Redis does not answer'));
  }

  return {
    giveUpAll,
    send<T>(command: () => Promise<T>, patience: Patience): Promise<T> {
      oneWriteATurn();
      timer ??= setInterval(onTick, TICK_MS);
      const began = performance.now();
      return new Promise<T>((resolve, reject) => {
        const ended = () => {
          if (waiting.delete(wait)) onEnd(performance.now() - began);
        };
        const wait: Wait = {
          patience,
          giveUp(error) {
            ended();
            reject(error);
          },
        };
        waiting.add(wait);
        command().finally(ended).then(resolve, reject);
      });
    },
  };
}
