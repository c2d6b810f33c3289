import { EventEmitter } from 'node:events';
import { ServiceUnavailableError } from '../../errors.js';
import { startTimer } from '../../time-limit.js';
import { isDuration, parseObject } from '../values.js';
import { isName } from '../entry-format.js';

/** A message (pub/sub) at the end of a fetch. Without a failure, Redis may have an entry. */
export interface FetchMessage {
  key: string;
  fetchId: string;
  failure?: ServiceUnavailableError;
}

/** Returns a message as text. */
export function messageText({ key, fetchId, failure }: FetchMessage): string {
  const retryAfterMs = failure && failure.retryAfterSeconds * 1000;
  return JSON.stringify({ key, fetchId, failure: failure?.message, retryAfterMs });
}

/** Reads a message from untrusted text. Returns undefined if it is invalid. */
function readMessage(text: string): FetchMessage | undefined {
  const { key, fetchId, failure, retryAfterMs } = parseObject(text) ?? {};
  if (typeof key !== 'string' || !isName(fetchId)) return undefined;
  if (failure === undefined) return { key, fetchId };
  if (typeof failure !== 'string' || !isDuration(retryAfterMs)) return undefined;
  return { key, fetchId, failure: new ServiceUnavailableError(failure, { retryAfterMs }) };
}

export type FetchMessages = ReturnType<typeof createFetchMessages>;

/** The ends of the fetches of all processes. A message may be lost. */
export function createFetchMessages() {
  const events = new EventEmitter().setMaxListeners(0);
  // A key must not be the name of an event, such as `error`.
  const eventOf = (key: string) => `key ${key}`;

  return {
    /** Receives the untrusted text of a message. */
    receive: (text: string): void => {
      const message = readMessage(text);
      if (message) events.emit(eventOf(message.key), message);
    },
    /** Resolves with the next message of a key, or with undefined after `limitMs`. */
    next(key: string, limitMs: number): Promise<FetchMessage | undefined> {
      return new Promise((resolve) => {
        const end = (message?: FetchMessage) => {
          stopTimer();
          events.off(eventOf(key), end);
          resolve(message);
        };
        const stopTimer = startTimer(limitMs, end);
        events.on(eventOf(key), end);
      });
    },
  };
}
