import type { Instruments } from '../../base/instruments.js';
import type { Logger } from '../../process/log.js';
import type { AppMiddleware } from '../context.js';
import { sendError, HttpError } from '../error-responses.js';

/** Milliseconds after the last shed request at which an overload has ended. */
const QUIET_MS = 10_000;

/** The response to a request that this process cannot serve. */
const OVERLOADED = new HttpError(
  503,
  'Service unavailable',
  'The service is overloaded. Please try again later.',
  { 'Retry-After': '5' },
);

/** Sheds requests (503) that have waited too long before they began. Health checks do not pass this middleware. */
export function shedOverload(options: { log: Logger; instruments: Instruments }): AppMiddleware {
  const { log, instruments } = options;
  let shed = 0;
  let quiet: NodeJS.Timeout | undefined;

  function countShedRequest(): void {
    shed += 1;
    instruments.overloadShed();
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
    if (!ctx.req.isLate) return next();
    countShedRequest();
    ctx.state.error = OVERLOADED;
    sendError(ctx, OVERLOADED);
    return undefined;
  };
}
