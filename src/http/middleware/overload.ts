import type { Instruments } from '../../process/instruments.js';
import type { Logger } from '../../process/log.js';
import type { AppMiddleware } from '../context.js';
import { answerWith, HttpError } from '../error-responses.js';

/** Milliseconds of work without a timer after which the event loop is considered late. */
const MAX_LAG_MS = 500;
/** Milliseconds of CPU time in that period. A process that was stopped, or got no CPU, is not behind with its work. */
const MIN_WORK_MS = 250;
/** Milliseconds between two timers. A timer that runs shows that the event loop has caught up. */
const TIMER_INTERVAL_MS = 100;
/** Milliseconds after the last rejection at which an overload has ended. */
const QUIET_MS = 10_000;

/** The response to a request that this process cannot serve. */
export const OVERLOADED = new HttpError(
  503,
  'Service unavailable',
  'The service is overloaded. Please try again later.',
  { 'Retry-After': '5' },
);

/**
 * Sheds requests (503) while the event loop is more than half a second behind. Health checks do not pass this
 * middleware: they are answered at the end of the event loop iteration, which this keeps short.
 */
export function shedOverload(options: { log: Logger; instruments: Instruments }): AppMiddleware {
  const { log, instruments } = options;
  const isBehind = watchEventLoop();
  let shed = 0;
  let quiet: NodeJS.Timeout | undefined;

  function countShedRequest(): void {
    shed += 1;
    instruments.overloadRefused();
    if (quiet) quiet.refresh();
    else {
      log.warn({ event: 'overload_began' });
      quiet = setTimeout(end, QUIET_MS).unref();
    }
  }

  function end(): void {
    log.info({ event: 'overload_ended', refused: shed });
    shed = 0;
    quiet = undefined;
  }

  return (ctx, next) => {
    if (!isBehind()) return next();
    countShedRequest();
    ctx.state.error = OVERLOADED;
    answerWith(ctx, OVERLOADED);
    return undefined;
  };
}

/** Returns a function that returns whether the event loop is behind, also within one iteration. */
function watchEventLoop(): () => boolean {
  let timerAt = performance.now();
  let cpuAtTimer = process.cpuUsage();
  setInterval(() => {
    timerAt = performance.now();
    cpuAtTimer = process.cpuUsage();
  }, TIMER_INTERVAL_MS).unref();
  return () => {
    if (performance.now() - timerAt <= MAX_LAG_MS) return false;
    const { user, system } = process.cpuUsage(cpuAtTimer);
    return (user + system) / 1000 > MIN_WORK_MS;
  };
}
