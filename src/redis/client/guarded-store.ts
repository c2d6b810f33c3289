import type { Instruments } from '../../process/instruments.js';
import type { Logger } from '../../process/log.js';
import { createNames, type Names } from '../names.js';
import { createRedisStore, type GuardedStore as Store, type RedisClient } from './store.js';

/** A key that is read in the background. */
export interface Watched {
  /** What it held when it was read last; null: it did not exist; undefined: never read yet. */
  readonly value: string | null | undefined;
  stop(): void;
}

export interface GuardedStore extends Store {
  /** How long the node of a key took to answer lately, in milliseconds. */
  replyMs(key: string): number;
  /** Reads a key about once a second. @param onRead called with each value that was read */
  watch(key: string, onRead?: (value: string | null) => void): Watched;
}

const WATCH_MS = 1000;
const SMOOTHING = 0.1;

export function createGuardedStore(
  client: RedisClient,
  log: Logger,
  instruments: Instruments,
  names: Names = createNames('weather', 0),
): GuardedStore {
  let replyMs = 0;
  const store = createRedisStore({
    client,
    names,
    log,
    instruments: {
      ...instruments,
      redisAnswered(seconds) {
        replyMs += (seconds * 1000 - replyMs) * SMOOTHING;
        instruments.redisAnswered(seconds);
      },
    },
  });
  const timers = new Set<NodeJS.Timeout>();
  return {
    ...store,
    get wasReached() {
      return store.wasReached;
    },
    get isDegraded() {
      return store.isDegraded;
    },
    replyMs: () => replyMs,
    watch(key, onRead) {
      let value: string | null | undefined;
      const read = () => {
        store
          .run(key, (redis) => redis.get(key))
          .then(
            (found) => {
              value = found;
              onRead?.(found);
            },
            () => undefined,
          );
      };
      const timer = setInterval(read, WATCH_MS).unref();
      timers.add(timer);
      read();
      return {
        get value() {
          return value;
        },
        stop() {
          clearInterval(timer);
        },
      };
    },
    close() {
      for (const timer of timers) clearInterval(timer);
      store.close();
    },
  };
}
