import type { Redis } from 'ioredis';
import { LateReplyError, StoreUnavailableError } from '../../errors.js';
import type { StoreTime } from '../../weather/scope.js';

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
 * replica follows a failover 1 s later.
 */
const DEAD_TICKS = 100;

interface Wait {
  time: StoreTime;
  giveUp(error: StoreUnavailableError): void;
}

/** Waits for the replies of one node. */
export interface Waits {
  /**
   * Sends a command and waits for its reply for as long as there is time, and takes the wait from it.
   * @throws LateReplyError when none is left, StoreUnavailableError when the node is silent
   */
  send<T>(command: () => Promise<T>, time: StoreTime): Promise<T>;
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
  let bytesRead = 0;
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
   * One system call for all commands of a round of the event loop. The client's auto-pipelining costs
   * twice the processor time, and holds commands back while an earlier batch has no reply.
   */
  function writeTogether(): void {
    const socket = isCorked ? undefined : stream();
    if (!socket) return;
    isCorked = true;
    socket.cork();
    setImmediate(() => {
      isCorked = false;
      socket.uncork();
    });
  }

  function start(): void {
    // In a round of the event loop timers come before sockets: read what has arrived first.
    timer = setInterval(() => setImmediate(tick), TICK_MS);
  }

  function tick(): void {
    for (const wait of waiting) {
      wait.time.storeMs -= TICK_MS;
      if (wait.time.storeMs <= 0) wait.giveUp(new LateReplyError('Redis answers late'));
    }
    if (isSilent()) {
      onSilent();
      giveUpAll();
    }
    if (silentTicks >= DEAD_TICKS) stream()?.destroy();
    if (waiting.size > 0 || unanswered() > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  /** Whole replies need not have come: any byte is a sign of life. */
  function isSilent(): boolean {
    const socket = stream();
    const isHeard = socket?.bytesRead !== bytesRead || unanswered() === 0;
    bytesRead = socket?.bytesRead ?? 0;
    silentTicks = socket && !isHeard ? silentTicks + 1 : 0;
    return silentTicks >= SILENT_TICKS;
  }

  function giveUpAll(): void {
    for (const wait of waiting) wait.giveUp(new StoreUnavailableError('Redis does not answer'));
  }

  return {
    giveUpAll,
    send<T>(command: () => Promise<T>, time: StoreTime): Promise<T> {
      writeTogether();
      if (!timer) start();
      const began = performance.now();
      return new Promise<T>((resolve, reject) => {
        const ended = () => {
          if (waiting.delete(wait)) onEnd(performance.now() - began);
        };
        const wait: Wait = {
          time,
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
