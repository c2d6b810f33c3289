import type { Instruments } from '../../base/instruments.js';
import type { Logger } from '../../process/log.js';
import type { Answer } from '../answer.js';
import { errorAnswer, HttpError } from '../error-answers.js';

/** Milliseconds after the last shed request at which an overload has ended. */
const QUIET_MS = 10_000;

/** The answer to a request that this process cannot serve. */
const OVERLOADED = errorAnswer(
  new HttpError(503, 'Service unavailable', 'The service is overloaded. Please try again later.', {
    'Retry-After': '5',
  }),
);

/**
 * Creates the function that counts a request which is shed because it has waited too long before it began, and returns the
 * answer to it (503). It logs the begin and the end of an overload.
 */
export function createOverload(options: { log: Logger; instruments: Instruments }): () => Answer {
  const { log, instruments } = options;
  let shed = 0;
  let quiet: NodeJS.Timeout | undefined;

  function end(): void {
    log.info({ event: 'overload_ended', refused: shed });
    shed = 0;
    quiet = undefined;
  }

  return () => {
    shed += 1;
    instruments.overloadShed();
    if (quiet) quiet.refresh();
    else {
      log.warn({ event: 'overload_began' });
      quiet = setTimeout(end, QUIET_MS).unref();
    }
    return OVERLOADED;
  };
}
