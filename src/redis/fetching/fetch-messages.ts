import { EventEmitter } from 'node:events';
import { ServiceUnavailableError } from '../../weather/errors.js';
import { startTimer } from '../../base/time-limit.js';
import { DAY_MS } from '../../weather/time/durations.js';
import type { RedisClient } from '../client/connection.js';
import { MAX_SILENCE_MS } from '../client/timing.js';
import { isDuration, isName, MAX_STORED_BYTES, readUntrusted } from '../untrusted.js';

/** The longest window of a provider's quota. A damaged message must not delay clients for longer. */
const MAX_RETRY_AFTER_MS = DAY_MS;
const MAX_FAILURE_LENGTH = 200;

/** A message (pub/sub) about the end of a fetch, with its entry or its failure. */
export interface FetchMessage {
  key: string;
  fetchId: string;
  /** The entry as `storedEntry` returns it. In a message that was received, it is untrusted. */
  entry?: unknown;
  /** Milliseconds for which the entry still exists. It is stored only if they are more than 0. */
  ttlMs?: number;
  failure?: ServiceUnavailableError | undefined;
}

/** Returns a message as text. */
export function messageText({ failure, ...message }: FetchMessage): string {
  const retryAfterMs = failure && failure.retryAfterSeconds * 1000;
  return JSON.stringify({ ...message, failure: failure?.message, retryAfterMs });
}

function readMessage(text: string): FetchMessage | undefined {
  const parsed = JSON.parse(text) as Record<string, unknown>;
  const { key, fetchId, entry, ttlMs, failure, retryAfterMs } = parsed;
  if (typeof key !== 'string' || !isName(fetchId)) return undefined;
  if (typeof failure === 'string' && isDuration(retryAfterMs)) {
    const options = { retryAfterMs: Math.min(retryAfterMs, MAX_RETRY_AFTER_MS) };
    const text = failure.slice(0, MAX_FAILURE_LENGTH);
    return { key, fetchId, failure: new ServiceUnavailableError(text, options) };
  }
  return isDuration(ttlMs) ? { key, fetchId, entry, ttlMs } : { key, fetchId };
}

const ignore = () => undefined;

export type MessageRouter = ReturnType<typeof createMessageRouter>;
export type Listener = ReturnType<MessageRouter['listen']>;

/**
 * Passes on the messages (pub/sub) that a fetch of any process has ended. A message may be lost.
 * @param start starts a timer, and returns a function that stops it
 */
export function createMessageRouter(start = startTimer) {
  const events = new EventEmitter().setMaxListeners(0);
  // A key must not be the name of an event, such as `error`.
  const eventOf = (key: string) => `key ${key}`;

  return {
    /** Receives the untrusted text of a message. */
    receive: (text: string): void => {
      const message =
        text.length > MAX_STORED_BYTES ? undefined : readUntrusted(() => readMessage(text));
      if (message) events.emit(eventOf(message.key), message);
    },
    /** Begins to listen for the messages of a key, also for those that arrive while nothing waits for them. */
    listen(key: string) {
      const arrived: FetchMessage[] = [];
      let wake: () => void = ignore;
      const add = (message: FetchMessage) => {
        arrived.push(message);
        wake();
      };
      events.on(eventOf(key), add);
      return {
        /** Resolves with the next message, or with undefined after `limitMs` or when the listener is closed. */
        next: (limitMs: number): Promise<FetchMessage | undefined> =>
          new Promise((resolve) => {
            const end = () => {
              stopTimer();
              wake = ignore;
              resolve(arrived.shift());
            };
            const stopTimer = start(limitMs, end);
            wake = end;
            if (arrived.length > 0) end();
          }),
        close(): void {
          events.off(eventOf(key), add);
          wake();
        },
      };
    },
  };
}

/**
 * Subscribes to a channel (pub/sub), again after each reconnect. Messages that are published meanwhile are lost.
 * @param client a connection for subscriptions only
 * @param onMessage called with the text of each message, which is untrusted
 * @param report called with errors: an ACL may forbid the channel
 * @returns a function that ends the connection
 */
export function subscribe(
  channel: string,
  client: RedisClient,
  onMessage: (text: string) => void,
  report: (error: unknown) => void,
): () => void {
  const renew = () => {
    if (client.status === 'ready') client.subscribe(channel).catch(report);
  };
  client.on('ready', renew);
  client.on('message', (_channel: string, text: string) => {
    onMessage(text);
  });
  // The replies keep the connection open: without any, its socket timeout ends it.
  const renewal = setInterval(renew, MAX_SILENCE_MS).unref();
  return () => {
    clearInterval(renewal);
    client.disconnect();
  };
}
