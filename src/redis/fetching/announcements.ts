import { MAX_SILENCE_MS } from '../client/connection.js';
import type { RedisClient, RedisStore } from '../client/store.js';

/** Told to every process when a fetch has ended. */
export interface Announcement {
  key: string;
  /** Who fetched: a worker shows by it that it is there. */
  by: 'worker' | 'replica';
  /** Set when the fetch failed. `id` tells one failure from the next. */
  failure?: { id: string; message: string; retryAfterMs: number };
}

const CHANNEL = 'weather:fetched';

/**
 * One subscription per process for the ends of all fetches. Only a wake-up: the cache entry is the
 * truth, and whoever misses a message finds the entry when it polls.
 */
export interface Announcements {
  /** The next announcement for a key. Always call `cancel` when done. */
  next(key: string): { announced: Promise<Announcement>; cancel(): void };
  onEach(listener: (announcement: Announcement) => void): void;
  close(): void;
}

export function listenForAnnouncements(subscriber: RedisClient): Announcements {
  const waiting = new Map<string, Set<(announcement: Announcement) => void>>();
  const listeners: ((announcement: Announcement) => void)[] = [];

  // So that a connection that nothing comes from is noticed, and left.
  const pings = setInterval(() => {
    subscriber.ping().catch(() => undefined);
  }, MAX_SILENCE_MS);
  pings.unref();

  // The client subscribes again by itself after each reconnect.
  subscriber.subscribe(CHANNEL).catch(() => undefined);
  subscriber.on('message', (_channel: string, text: string) => {
    const announcement = JSON.parse(text) as Announcement;
    for (const listener of listeners) listener(announcement);
    for (const wake of waiting.get(announcement.key) ?? []) wake(announcement);
  });

  return {
    next(key) {
      const wakes = waiting.get(key) ?? new Set();
      waiting.set(key, wakes);
      let wake!: (announcement: Announcement) => void;
      const announced = new Promise<Announcement>((resolve) => {
        wake = resolve;
        wakes.add(wake);
      });
      return {
        announced,
        cancel() {
          wakes.delete(wake);
          if (wakes.size === 0 && waiting.get(key) === wakes) waiting.delete(key);
        },
      };
    },
    onEach: (listener) => void listeners.push(listener),
    close() {
      clearInterval(pings);
      subscriber.disconnect();
    },
  };
}

/** Tells every process. @throws StoreUnavailableError */
export async function announce(store: RedisStore, announcement: Announcement): Promise<void> {
  await store.run(CHANNEL, (redis) => redis.publish(CHANNEL, JSON.stringify(announcement)));
}
