import type { Clock } from '../../weather/types.js';
import { MAX_SILENCE_MS } from '../client/connection.js';
import type { RedisClient } from '../client/store.js';
import { parseObject, readEntry, type SharedEntry } from './entry.js';

/** Why a fetch failed, as those who wait for it are told. */
export interface Failure {
  message: string;
  retryAfterMs: number;
}

/** Told to every process when a run has ended. With neither entry nor failure it was given up. */
export interface Announcement {
  key: string;
  fetchId: string;
  /** Who ran the fetch: a worker shows by it that it is there. */
  by: 'worker' | 'replica';
  entry?: SharedEntry | undefined;
  failure?: Failure | undefined;
}

/** The channel of all announcements. A message is a JSON head, the entry's life in ms, the entry. */
export const ANNOUNCEMENTS = 'weather:fetched';

/**
 * One subscription per process to the ends of all runs. The record in Redis is the truth, and an
 * announcement only saves asking for it: a process that misses one finds out by asking.
 */
export interface Announcements {
  /** Calls the listener for each announcement of a key, until the returned function is called. */
  listen(key: string, listener: (announcement: Announcement) => void): () => void;
  onEach(listener: (announcement: Announcement) => void): void;
  close(): void;
}

export function listenForAnnouncements(subscriber: RedisClient, clock: Clock): Announcements {
  const byKey = new Map<string, Set<(announcement: Announcement) => void>>();
  const always: ((announcement: Announcement) => void)[] = [];

  // A connection that brings nothing, not even the answer to a ping, is dead and is replaced.
  const pings = setInterval(() => {
    subscriber.ping().catch(() => undefined);
  }, MAX_SILENCE_MS);
  pings.unref();

  // The client subscribes again by itself after each reconnect.
  subscriber.subscribe(ANNOUNCEMENTS).catch(() => undefined);
  subscriber.on('message', (_channel: string, text: string) => {
    const announcement = readAnnouncement(text, clock.monotonic());
    if (!announcement) return;
    for (const listener of always) listener(announcement);
    for (const listener of byKey.get(announcement.key) ?? []) listener(announcement);
  });

  return {
    listen(key, listener) {
      const listeners = byKey.get(key) ?? new Set();
      byKey.set(key, listeners.add(listener));
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0 && byKey.get(key) === listeners) byKey.delete(key);
      };
    },
    onEach: (listener) => void always.push(listener),
    close() {
      clearInterval(pings);
      subscriber.disconnect();
    },
  };
}

/** What Redis says is input: a message that is no announcement is ignored. */
function readAnnouncement(text: string, now: number): Announcement | undefined {
  const [head = '', life = '', entryText = ''] = text.split('\n');
  const { key, fetchId, by, failure } = parseObject(head) ?? {};
  if (typeof key !== 'string' || typeof fetchId !== 'string') return undefined;
  if (by !== 'worker' && by !== 'replica') return undefined;
  const entry = entryText === '' ? undefined : readEntry(entryText, Number(life), now);
  return { key, fetchId, by, entry, failure: readFailure(failure) };
}

/** A failure from what Redis says; undefined when it is none. */
export function readFailure(said: unknown): Failure | undefined {
  if (typeof said !== 'object' || said === null) return undefined;
  const { message, retryAfterMs } = said as Partial<Failure>;
  return typeof message === 'string' && typeof retryAfterMs === 'number'
    ? { message, retryAfterMs }
    : undefined;
}
