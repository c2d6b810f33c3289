import { EventEmitter } from 'node:events';
import type { Cached } from '../../weather/cache.js';
import { withTimeLimit } from '../../weather/time-limit.js';
import type { Clock } from '../../weather/types.js';
import { MAX_SILENCE_MS } from '../client/connection.js';
import { isReply } from '../client/errors.js';
import type { RedisClient, RedisStore } from '../client/store.js';
import type { Names } from '../names.js';
import { isDuration, isObject, parseObject, readEntry } from './entry.js';

/** Why a fetch failed, as those who wait for it are told. */
export interface Failure {
  message: string;
  retryAfterMs: number;
}

/** How a run ended. With neither entry nor failure it was given up: somebody else may run the fetch. */
export interface End {
  fetchId: string;
  /** Who ran the fetch. */
  by: 'worker' | 'replica';
  entry?: Cached | undefined;
  failure?: Failure | undefined;
}

/** Sent to every process when a run has ended. */
export interface Announcement extends End {
  key: string;
}

/** The announcements of one key for one waiter, from the moment when it began to listen. */
export interface Listening {
  /**
   * The next announcement.
   * @returns undefined when none came within the limit
   * @throws the signal's reason when it aborts
   */
  next(limitMs: number, signal: AbortSignal): Promise<Announcement | undefined>;
  stop(): void;
}

/**
 * One subscription per process to the ends of all runs and the greetings of all workers. The record
 * in Redis is the truth, and an announcement only saves asking for it: a process that misses one
 * finds out by asking.
 */
export interface Announcements {
  listen(key: string): Listening;
  onEach(listener: (announcement: Announcement) => void): void;
  /** What was heard of workers, as monotonic times. */
  readonly heard: {
    /**
     * When a worker greeted last, and no earlier than messages began to arrive: until then nothing
     * is known. Undefined while no messages arrive.
     */
    readonly greetedAt: number | undefined;
    /** When a worker said last that it takes no more jobs. */
    readonly leftAt: number;
    /** When a worker's run ended last. */
    readonly workedAt: number;
  };
  close(): void;
}

const noAnnouncement = () => new Error('No announcement came');

/** @param store is told when Redis does not allow this user to subscribe */
export function listenForAnnouncements(
  subscriber: RedisClient,
  options: { clock: Clock; names: Names; store: Pick<RedisStore, 'report'> },
): Announcements {
  const { clock, store } = options;
  const channel = options.names.announcements;
  /** Of each announcement, and of those of one key. The prefix keeps a key from being `error`. */
  const events = new EventEmitter().setMaxListeners(0);
  const eventOf = (key: string) => `key ${key}`;
  const heard = {
    greetedAt: undefined as number | undefined,
    leftAt: -Infinity,
    workedAt: -Infinity,
  };

  function subscribe(): void {
    subscriber.subscribe(channel).then(
      () => {
        heard.greetedAt ??= clock.monotonic();
      },
      (error: unknown) => {
        if (error instanceof Error && isReply(error)) store.report(error.message, channel);
      },
    );
  }

  subscriber.on('ready', subscribe);
  subscriber.on('close', () => {
    heard.greetedAt = undefined;
  });
  const pings = setInterval(() => {
    if (subscriber.status !== 'ready') return;
    // A connection that brings nothing, not even the answer to a ping, is dead and is replaced.
    if (heard.greetedAt === undefined) subscribe();
    else subscriber.ping().catch(() => undefined);
  }, MAX_SILENCE_MS);
  pings.unref();

  subscriber.on('message', (_channel: string, text: string) => {
    const now = clock.monotonic();
    const [head = '', life = '', entry = ''] = text.split('\n');
    const message = parseObject(head) ?? {};
    if (message['worker'] === 'here') heard.greetedAt = now;
    if (message['worker'] === 'leaving') heard.leftAt = now;
    const announcement = readAnnouncement(message, life, entry, now);
    if (!announcement) return;
    if (announcement.by === 'worker') heard.workedAt = now;
    events.emit('announcement', announcement);
    events.emit(eventOf(announcement.key), announcement);
  });

  return {
    heard,
    onEach: (listener) => void events.on('announcement', listener),
    listen(key) {
      const received: Announcement[] = [];
      let wake: () => void = () => undefined;
      const receive = (announcement: Announcement) => {
        received.push(announcement);
        wake();
      };
      events.on(eventOf(key), receive);
      return {
        async next(limitMs, signal) {
          if (received.length === 0) {
            const limit = { signal, limitMs, late: noAnnouncement };
            const woken = () => new Promise<void>((resolve) => (wake = resolve));
            await withTimeLimit(limit, woken).catch(() => undefined);
          }
          signal.throwIfAborted();
          return received.shift();
        },
        stop: () => void events.off(eventOf(key), receive),
      };
    },
    close() {
      clearInterval(pings);
      subscriber.disconnect();
    },
  };
}

/** What Redis says is input: a message that is no announcement is ignored. */
function readAnnouncement(
  { key, fetchId, by, failure }: Record<string, unknown>,
  life: string,
  text: string,
  now: number,
): Announcement | undefined {
  if (typeof key !== 'string' || typeof fetchId !== 'string') return undefined;
  if (by !== 'worker' && by !== 'replica') return undefined;
  const entry = text === '' ? undefined : readEntry(key, text, Number(life), now);
  // No readable entry, or that of another fetch: waiters find out by asking.
  if (entry?.fetchId !== fetchId && text !== '') return undefined;
  return { key, fetchId, by, entry, failure: readFailure(failure) };
}

/** A failure from what Redis says; undefined when it is none. */
export function readFailure(value: unknown): Failure | undefined {
  if (!isObject(value)) return undefined;
  const { message, retryAfterMs } = value;
  if (typeof message !== 'string' || !isDuration(retryAfterMs)) return undefined;
  return { message, retryAfterMs };
}
