import { EventEmitter } from 'node:events';
import { ServiceUnavailableError } from '../../errors.js';
import { startTimer } from '../../time-limit.js';
import { isDuration, parseObject } from '../values.js';
import { isName } from '../entry-format.js';

/** A message (pub/sub) about the end of a fetch. Without entry and failure, another process may run the fetch. */
export interface FetchMessage {
  key: string;
  fetchId: string;
  /** The entry as `storedEntry` returns it. In a message that was received, it is untrusted. */
  entry?: unknown;
  /** Milliseconds for which the entry still exists. It is stored only if they are more than 0. */
  ttlMs?: number;
  failure?: ServiceUnavailableError;
}

/** Returns a message as text. */
export function messageText({ failure, ...message }: FetchMessage): string {
  const retryAfterMs = failure && failure.retryAfterSeconds * 1000;
  return JSON.stringify({ ...message, failure: failure?.message, retryAfterMs });
}

/** Reads a message from untrusted text. Returns undefined if it is invalid. */
function readMessage(text: string): FetchMessage | undefined {
  const { key, fetchId, entry, ttlMs, failure, retryAfterMs } = parseObject(text) ?? {};
  if (typeof key !== 'string' || !isName(fetchId)) return undefined;
  if (typeof failure === 'string' && isDuration(retryAfterMs)) {
    return { key, fetchId, failure: new ServiceUnavailableError(failure, { retryAfterMs }) };
  }
  return isDuration(ttlMs) ? { key, fetchId, entry, ttlMs } : { key, fetchId };
}

export type FetchMessages = ReturnType<typeof createFetchMessages>;

/**
 * Passes on the messages (pub/sub) that a fetch of any process has ended. A message may be lost.
 * @param start starts a timer, and returns a function that stops it
 */
export function createFetchMessages(start = startTimer) {
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
        const stopTimer = start(limitMs, end);
        events.on(eventOf(key), end);
      });
    },
  };
}
