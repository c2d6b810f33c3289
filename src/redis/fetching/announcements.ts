import { EventEmitter } from 'node:events';
import type { Cached } from '../../weather/cache.js';
import { withTimeLimit } from '../../time-limit.js';
import type { Clock } from '../../weather/types.js';
import { MAX_SILENCE_MS } from '../client/connection.js';
import { isReply } from '../client/errors.js';
import type { RedisClient, RedisStore } from '../client/store.js';
import type { Names } from '../names.js';
import { isDuration, isObject, parseObject } from '../values.js';
import { readEntry } from './entry.js';

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

/** What a process hears of workers: one takes jobs, one takes no more, messages arrive or do not. */
export type Heard = 'here' | 'leaving' | 'messages' | 'nothing';

/** That of `setTimeout`. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const noAnnouncement = () => new Error('No announcement came');

export type Announcements = ReturnType<typeof listenForAnnouncements>;
export type Listening = ReturnType<Announcements['listen']>;

/**
 * One subscription per process to the ends of all runs and the greetings of all workers. The record in
 * Redis is the truth: a process that misses a message finds out by asking.
 * @param store is told when Redis does not allow this user to subscribe
 */
export function listenForAnnouncements(
  subscriber: RedisClient,
  options: { clock: Clock; names: Names; store: Pick<RedisStore, 'report'> },
) {
  const { clock, store } = options;
  const channel = options.names.announcements;
  /** Of each announcement, and of those of one key. The prefix keeps a key from being `error`. */
  const events = new EventEmitter().setMaxListeners(0);
  const eventOf = (key: string) => `key ${key}`;
  const hear = (heard: Heard) => void events.emit('workers', heard);
  let isSubscribed = false;

  function subscribe(): void {
    subscriber.subscribe(channel).then(
      () => {
        if (!isSubscribed) hear('messages');
        isSubscribed = true;
      },
      (error: unknown) => {
        if (error instanceof Error && isReply(error)) store.report(error.message, channel);
      },
    );
  }

  subscriber.on('ready', subscribe);
  subscriber.on('close', () => {
    isSubscribed = false;
    hear('nothing');
  });
  const pings = setInterval(() => {
    if (subscriber.status !== 'ready') return;
    // A connection that brings nothing, not even the answer to a ping, is dead and is replaced.
    if (!isSubscribed) subscribe();
    else subscriber.ping().catch(() => undefined);
  }, MAX_SILENCE_MS);
  pings.unref();

  subscriber.on('message', (_channel: string, text: string) => {
    const [head = '', life = '', entry = ''] = text.split('\n');
    const message = parseObject(head) ?? {};
    const { worker } = message;
    if (worker === 'here' || worker === 'leaving') hear(worker);
    const announcement = readAnnouncement(message, life, entry, clock.monotonic());
    if (!announcement) return;
    events.emit('announcement', announcement);
    events.emit(eventOf(announcement.key), announcement);
  });

  return {
    onWorkers: (listener: (heard: Heard) => void) => void events.on('workers', listener),
    onEach: (listener: (announcement: Announcement) => void) =>
      void events.on('announcement', listener),
    /** The announcements of one key for one waiter, in order, from now on. */
    listen(key: string) {
      const received: Announcement[] = [];
      let wake: () => void = () => undefined;
      const tell = (announcement: Announcement) => {
        received.push(announcement);
        wake();
      };
      events.on(eventOf(key), tell);
      return {
        /** Tells this waiter alone. */
        tell,
        /**
         * The next announcement.
         * @param wait for how long at most, in milliseconds, or until what has settled
         * @returns undefined when none came meanwhile
         * @throws the signal's reason when it aborts
         */
        async next(
          wait: number | Promise<unknown>,
          signal: AbortSignal,
        ): Promise<Announcement | undefined> {
          if (received.length === 0) {
            const woken = new Promise<void>((resolve) => (wake = resolve));
            const limitMs = typeof wait === 'number' ? wait : LONGEST_TIMER_MS;
            const either = () => Promise.race(typeof wait === 'number' ? [woken] : [woken, wait]);
            await withTimeLimit({ signal, limitMs, late: noAnnouncement }, either).catch(() => 0);
          }
          signal.throwIfAborted();
          return received.shift();
        },
        stop: () => void events.off(eventOf(key), tell),
      };
    },
    close(): void {
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
