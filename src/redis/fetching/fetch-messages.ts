import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { startTimer } from '../../base/time-limit.js';
import type { CacheEntry } from '../../weather/cache-entry.js';
import type { RedisClient } from '../client/connection.js';
import { MAX_SILENCE_MS } from '../client/timing.js';

/** How a fetch ended. Dropped: its job was too old, or its worker could not run it. */
export type Outcome = 'stored' | 'failed' | 'dropped';

export interface FetchEnd {
  fetchId: string;
  outcome: Outcome;
  /** What a fetch of this process returned or threw. Other processes' messages contain neither. */
  result?: { entry: CacheEntry<unknown> } | { failure: unknown };
}

const MESSAGE = /^(\S{1,100}) (stored|failed|dropped) (\S{1,100}) (.*)$/s;
/** A message that is longer is ignored. The longest key has 500 characters. */
const MAX_MESSAGE_LENGTH = 1000;

const ignore = () => undefined;

export type MessageRouter = ReturnType<typeof createMessageRouter>;
export type Listener = ReturnType<MessageRouter['listen']>;

/**
 * Passes on the ends of fetches to the requests of this process: of its own fetches directly, of
 * other processes' fetches by message (pub/sub). A message may be lost.
 * @param start starts a timer, and returns a function that stops it
 */
export function createMessageRouter(start = startTimer) {
  const events = new EventEmitter().setMaxListeners(0);
  // A key must not be the name of an event, such as `error`.
  const eventOf = (key: string) => `key ${key}`;
  /** Names this process in its messages. */
  const self = randomUUID();

  return {
    /** Passes on the end of this process's fetch. @returns the message for other processes */
    end(key: string, end: FetchEnd): string {
      events.emit(eventOf(key), end);
      return `${self} ${end.outcome} ${end.fetchId} ${key}`;
    },
    /** Receives the untrusted text of a message. */
    receive: (text: string): void => {
      const match = text.length > MAX_MESSAGE_LENGTH ? null : MESSAGE.exec(text);
      const [, sender, outcome, fetchId, key = ''] = match ?? [];
      if (match && sender !== self) events.emit(eventOf(key), { fetchId, outcome });
    },
    /** Listens for the ends of fetches of a key, also for those that come while nothing waits. */
    listen(key: string) {
      const arrived: FetchEnd[] = [];
      let wake: () => void = ignore;
      const add = (end: FetchEnd) => {
        arrived.push(end);
        wake();
      };
      events.on(eventOf(key), add);
      return {
        /** Whether `next` resolves at once. */
        hasNext: () => arrived.length > 0,
        /** Resolves with the next end, or undefined after `limitMs` or when the listener closes. */
        next: (limitMs: number): Promise<FetchEnd | undefined> =>
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
 * Subscribes to a channel (pub/sub), again after each reconnect. Meanwhile, messages are lost.
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
