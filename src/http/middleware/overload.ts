import type { Socket } from 'node:net';
import type { Instruments } from '../../process/instruments.js';
import type { Logger } from '../../process/log.js';
import type { AppMiddleware } from '../context.js';
import { answerWith, HttpError } from '../errors.js';

/**
 * One round of the event loop takes up requests for so long. Doubled: under overload a probe waits twice
 * as long to be accepted.
 */
const ROUND_MS = 20;
/**
 * Waits are counted in ticks of so many milliseconds. A tick that comes late counts once, so a process
 * that was stopped for a while has not fallen behind. Doubled: nothing that a user sees.
 */
const TICK_MS = 50;
/** While one has waited for so many ticks, others are refused. Doubled: under overload answers take 2 s. */
const MAX_WAIT_TICKS = 20;
/**
 * The connection of a refused request is not read for so long; a proxy's, which is not one client's, for
 * the rest of the round. Without it, clients that ask again at once get all of the processor: Node.js
 * goes on reading while more come. Doubled, what is sent meanwhile is still unread when a process that closes
 * cuts idle connections after a second: it is lost.
 */
const HOLD_MS = 500;
/** An overload has ended so long after the last refusal. Doubled: its record comes 10 s later. */
const QUIET_MS = 10_000;

/** What a request is told that the process cannot take up. */
export const REFUSAL = new HttpError(
  503,
  'Service unavailable',
  'The service is overloaded. Please try again later.',
  // Doubled: clients that obey come back after 10 s.
  { 'Retry-After': '5' },
);

/**
 * Refuses what this process cannot take up within a second (503). What comes faster than it is worked
 * off waits in order; health probes, which have no such guard, are answered before it.
 *
 * The rounds of the event loop stay short, because Node.js accepts one connection a round: in long
 * rounds, probes would wait for seconds to be accepted. A round that brought a new connection is therefore
 * cut short: it takes up requests for as long as it took to read what came.
 * @param options.isDirect whether a connection is one client's, and no proxy's
 */
export function overload(options: {
  log: Logger;
  instruments: Instruments;
  isDirect: boolean;
}): AppMiddleware {
  const { log, instruments, isDirect } = options;
  const waiting: { since: number; begin: () => void }[] = [];
  let round: NodeJS.Immediate | undefined;
  let roundBegan = 0;
  /** How long those who waited may begin in this round, in milliseconds. */
  let roundMs = ROUND_MS;
  let hasNewConnection = false;
  let ticks = 0;
  let ticker: NodeJS.Timeout | undefined;
  let refused = 0;
  let quiet: NodeJS.Timeout | undefined;

  function tick(): void {
    ticks += 1;
    if (waiting.length > 0) return;
    clearInterval(ticker);
    ticker = undefined;
  }

  function beginRound(): void {
    roundBegan = performance.now();
    hasNewConnection = false;
    round = undefined;
    if (waiting.length === 0) return;
    setImmediate(beginWaiting);
    // One by one: what a request has to do goes on after its first call.
    waiting.forEach(() => setImmediate(beginNext));
    round = setImmediate(beginRound);
  }

  /** The round has read what came, and has refused what is too much. The time of those who wait begins now. */
  function beginWaiting(): void {
    const now = performance.now();
    roundMs = hasNewConnection ? Math.min(now - roundBegan, ROUND_MS) : ROUND_MS;
    roundBegan = now;
  }

  function beginNext(): void {
    if (hasTime(roundMs)) waiting.shift()?.begin();
  }

  const hasTime = (limitMs: number) => performance.now() - roundBegan < limitMs;

  function refuse(socket: Socket): void {
    refused += 1;
    instruments.overloadRefused();
    if (quiet) quiet.refresh();
    else {
      log.warn({ event: 'overload_began', waiting: waiting.length });
      quiet = setTimeout(end, QUIET_MS).unref();
    }
    hold(socket);
  }

  function hold(socket: Socket): void {
    // Not now: Node.js resumes the connection when it has read the request.
    process.nextTick(() => {
      socket.pause();
      if (isDirect) setTimeout(() => socket.resume(), HOLD_MS).unref();
      else setImmediate(() => socket.resume());
    });
  }

  function end(): void {
    log.info({ event: 'overload_ended', refused });
    refused = 0;
    quiet = undefined;
  }

  return function takeTurn(ctx, next) {
    const { socket } = ctx.req;
    hasNewConnection ||= socket.bytesWritten === 0;
    if (!round) {
      roundBegan = performance.now();
      round = setImmediate(beginRound);
    }
    const [first] = waiting;
    if (first && ticks - first.since > MAX_WAIT_TICKS) {
      refuse(socket);
      ctx.state.error = REFUSAL;
      answerWith(ctx, REFUSAL);
      return;
    }
    if (!first && hasTime(ROUND_MS)) return next();
    return new Promise((resolve) => {
      const begin = () => {
        resolve(next());
      };
      ticker ??= setInterval(tick, TICK_MS).unref();
      waiting.push({ since: ticks, begin });
    });
  };
}
