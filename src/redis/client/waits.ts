import type { Redis } from 'ioredis';
import { LateReplyError } from '../../errors.js';
import type { StoreTime } from '../../weather/scope.js';
import type { AtEndOfTurn } from '../turn.js';

/**
 * Waits are counted in ticks of a timer of this many milliseconds. A tick that comes late counts once,
 * so a process without processor time does not take its own delay for that of Redis. Doubled: nothing
 * that a user sees, only coarser limits.
 */
export const TICK_MS = 10;
/**
 * A node is probed when a reply has not come for so long. While something is wrong it is probed, asked
 * whether it has loaded its data, and told what it did not hear, again after so long. Doubled: a hung
 * Redis is asked for 0.1 s longer; after trouble it is used, and has heard everything, 0.1 s later.
 */
export const RETRY_MS = 100;

interface Wait {
  time: StoreTime;
  ticks: number;
  giveUp(error: LateReplyError): void;
}

/**
 * Waits for the replies of one node.
 * @param onLate called when a reply has not come for `RETRY_MS`
 * @param onEnd called when a wait has ended, with a reply or without, and how long it took in milliseconds
 */
export function createWaits(options: {
  connection: () => Redis | undefined;
  atEndOfTurn: AtEndOfTurn;
  onLate: () => void;
  onEnd: (tookMs: number) => void;
}) {
  const { connection, atEndOfTurn, onLate, onEnd } = options;
  /** No set: one from which much is deleted gets new tables, and V8 keeps those with the old ones for long. */
  const waiting: Wait[] = [];
  let timer: NodeJS.Timeout | undefined;
  let corked: Redis['stream'] | undefined;

  /**
   * One system call for all commands of a turn of the event loop. The client's auto-pipelining costs twice
   * the processor time, and holds commands back while an earlier batch has no reply.
   */
  function writeTogether(): void {
    const redis = connection();
    if (corked || redis?.status !== 'ready') return;
    const { stream } = redis;
    stream.cork();
    corked = stream;
    atEndOfTurn(() => {
      // Behind all that is sent at the end of this turn.
      process.nextTick(stream.uncork.bind(stream));
      corked = undefined;
    });
  }

  function tick(): void {
    let isLate = false;
    for (const wait of [...waiting]) {
      wait.ticks += 1;
      isLate ||= wait.ticks === RETRY_MS / TICK_MS;
      wait.time.storeMs -= TICK_MS;
      if (wait.time.storeMs <= 0) wait.giveUp(new LateReplyError('Redis answers late'));
    }
    if (isLate) onLate();
    if (waiting.length > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    /** Ends all waits: the connection is not there any more. What was sent may take effect all the same. */
    giveUpAll(): void {
      for (const wait of [...waiting]) wait.giveUp(new LateReplyError('Redis does not answer'));
    },
    /**
     * Sends a command and waits for its reply for as long as there is time, and takes the wait from it.
     * @throws LateReplyError when none is left
     */
    send<T>(command: () => Promise<T>, time: StoreTime): Promise<T> {
      writeTogether();
      // In a round of the event loop timers come before sockets: read what has arrived first.
      timer ??= setInterval(() => setImmediate(tick), TICK_MS);
      const began = performance.now();
      return new Promise<T>((resolve, reject) => {
        const end = () => {
          // Mostly the first: replies come in the order of the commands.
          const at = waiting.indexOf(wait);
          if (at < 0) return;
          waiting.splice(at, 1);
          onEnd(performance.now() - began);
        };
        const giveUp = (error: unknown) => {
          end();
          // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- as the command failed
          reject(error);
        };
        const wait: Wait = { time, ticks: 0, giveUp };
        waiting.push(wait);
        command().then((reply) => {
          end();
          resolve(reply);
        }, giveUp);
      });
    },
  };
}
