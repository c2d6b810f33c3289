import { EventEmitter } from 'node:events';
import { ServiceUnavailableError } from '../../errors.js';
import { withTimeLimit } from '../../time-limit.js';
import type { Cached } from '../../weather/cache.js';
import { kindOfKey, type Kinds } from '../../weather/kind.js';
import { MAX_SILENCE_MS } from '../client/connection.js';
import type { RedisClient } from '../client/port.js';
import { isDuration, parseObject } from '../values.js';
import { entryText, readEntry } from './entry-format.js';
import type { Parts } from './index.js';

/** How the fetch of a key ended. Without entry and failure it was aborted: another process may run it. */
export interface FetchMessage {
  key: string;
  fetchId: string;
  entry?: Cached<unknown> | undefined;
  failure?: ServiceUnavailableError;
}

/** Returns a message as text. @param ttlMs how long its entry still exists */
export function messageText(message: FetchMessage, ttlMs: number): string {
  const { key, fetchId, entry, failure } = message;
  const entryJson = entry && entryText(entry);
  const retryAfterMs = failure && failure.retryAfterSeconds * 1000;
  return JSON.stringify({
    key,
    fetchId,
    entryJson,
    ttlMs,
    failure: failure?.message,
    retryAfterMs,
  });
}

/** Reads a message from untrusted text. Returns undefined if it is invalid. */
function readMessage(kinds: Kinds, text: string, now: number): FetchMessage | undefined {
  const { key, fetchId, entryJson, ttlMs, failure, retryAfterMs } = parseObject(text) ?? {};
  if (typeof key !== 'string' || typeof fetchId !== 'string') return undefined;
  if (typeof entryJson === 'string') {
    const kind = kindOfKey(kinds, key);
    const entry = kind && readEntry(kind, entryJson, Number(ttlMs), now);
    return entry && { key, fetchId, entry };
  }
  if (typeof failure !== 'string' || !isDuration(retryAfterMs)) return { key, fetchId };
  return { key, fetchId, failure: new ServiceUnavailableError(failure, { retryAfterMs }) };
}

export type FetchMessages = ReturnType<typeof subscribeToFetches>;

/** Subscribes to the ends of all fetches: one subscription for each process. A message may be lost. */
export function subscribeToFetches(client: RedisClient, { store, names, kinds, clock }: Parts) {
  const events = new EventEmitter().setMaxListeners(0);

  function subscribe(): void {
    if (client.status !== 'ready') return;
    client.subscribe(names.fetchMessages).catch((error: unknown) => {
      // An ACL may refuse the channel. The store knows of lost connections.
      if (error instanceof Error && error.name === 'ReplyError') store.report(error);
    });
  }
  client.on('ready', subscribe);
  // The replies keep the connection open: without any, its socket timeout ends it.
  const renewal = setInterval(subscribe, MAX_SILENCE_MS).unref();
  client.on('message', (_channel: string, text: string) => {
    const message = readMessage(kinds, text, clock.monotonic());
    if (message) events.emit('message', message);
    // A key must not be the name of an event, such as `error`.
    if (message) events.emit(`key ${message.key}`, message);
  });

  return {
    onMessage: (listener: (message: FetchMessage) => void) => void events.on('message', listener),
    /** Receives the messages of a key until `stop`. */
    listen(key: string) {
      let received: FetchMessage | undefined;
      let wake: () => void = () => undefined;
      const receive = (message: FetchMessage) => {
        received = message;
        wake();
      };
      events.on(`key ${key}`, receive);
      return {
        /** Waits up to `limitMs` for a message. @throws the signal's reason when it aborts */
        async next(limitMs: number, signal: AbortSignal): Promise<FetchMessage | undefined> {
          const arrival = new Promise<void>((resolve) => (wake = resolve));
          if (received) wake();
          const late = () => new Error('No message arrived');
          await withTimeLimit({ signal, limitMs, late }, () => arrival).catch(() => undefined);
          signal.throwIfAborted();
          const message = received;
          received = undefined;
          return message;
        },
        stop: () => void events.off(`key ${key}`, receive),
      };
    },
    close(): void {
      clearInterval(renewal);
      client.disconnect();
    },
  };
}
