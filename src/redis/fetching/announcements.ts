import type { Cached } from '../../weather/cache.js';
import type { Clock } from '../../weather/types.js';
import { MAX_SILENCE_MS } from '../client/connection.js';
import type { RedisClient, RedisStore } from '../client/store.js';
import type { Names } from '../names.js';
import { isDuration, parseObject, readEntry } from './entry.js';

/** Why a fetch failed, as those who wait for it are told. */
export interface Failure {
  message: string;
  retryAfterMs: number;
}

/** Sent to every process when a run has ended. With neither entry nor failure it was given up. */
export interface Announcement {
  key: string;
  fetchId: string;
  /** Who ran the fetch. */
  by: 'worker' | 'replica';
  entry?: Cached | undefined;
  failure?: Failure | undefined;
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
  /**
   * When a worker greeted last, as monotonic time, and no earlier than messages began to arrive: until
   * then nothing is known. Undefined while no messages arrive.
   */
  readonly greetedAt: number | undefined;
  /** When a worker said last that it takes no more jobs. */
  readonly leftAt: number;
  /** When a worker's run ended last. */
  readonly workedAt: number;
  close(): void;
}

/** @param onRefused called when Redis does not allow this user the command, or the channel for it */
export function listenForAnnouncements(
  subscriber: RedisClient,
  options: { clock: Clock; names: Names; onRefused: (message: string, command: string) => void },
): Announcements {
  const { clock, onRefused } = options;
  const channel = options.names.announcements;
  const byKey = new Map<string, Set<(announcement: Announcement) => void>>();
  const always: ((announcement: Announcement) => void)[] = [];
  let greetedAt: number | undefined;
  let leftAt = -Infinity;
  let workedAt = -Infinity;

  function subscribe(): void {
    subscriber.subscribe(channel).then(
      () => {
        greetedAt ??= clock.monotonic();
      },
      (error: unknown) => {
        if (error instanceof Error && error.message.startsWith('NOPERM'))
          onRefused(error.message, 'subscribe');
      },
    );
  }

  subscriber.on('ready', subscribe);
  subscriber.on('close', () => {
    greetedAt = undefined;
  });
  const pings = setInterval(() => {
    if (subscriber.status !== 'ready') return;
    // A connection that brings nothing, not even the answer to a ping, is dead and is replaced.
    if (greetedAt === undefined) subscribe();
    else subscriber.ping().catch(() => undefined);
  }, MAX_SILENCE_MS);
  pings.unref();

  subscriber.on('message', (_channel: string, text: string) => {
    const [head = '', life = '', entry = ''] = text.split('\n');
    const said = parseObject(head) ?? {};
    if (said['worker'] === 'here') greetedAt = clock.monotonic();
    if (said['worker'] === 'leaving') leftAt = clock.monotonic();
    const announcement = readAnnouncement(said, life, entry, clock.monotonic());
    if (!announcement) return;
    if (announcement.by === 'worker') workedAt = clock.monotonic();
    for (const listener of always) listener(announcement);
    for (const listener of byKey.get(announcement.key) ?? []) listener(announcement);
  });

  function listen(key: string): Listening {
    const received: Announcement[] = [];
    let wake: () => void = () => undefined;
    const listener = (announcement: Announcement) => {
      received.push(announcement);
      wake();
    };
    const listeners = byKey.get(key) ?? new Set();
    byKey.set(key, listeners.add(listener));
    return {
      async next(limitMs, signal) {
        signal.throwIfAborted();
        if (received.length === 0) {
          await new Promise<void>((resolve) => {
            const timer = setTimeout(resolve, limitMs);
            wake = () => {
              clearTimeout(timer);
              signal.removeEventListener('abort', wake);
              resolve();
            };
            signal.addEventListener('abort', wake, { once: true });
          });
          signal.removeEventListener('abort', wake);
        }
        signal.throwIfAborted();
        return received.shift();
      },
      stop() {
        listeners.delete(listener);
        if (listeners.size === 0 && byKey.get(key) === listeners) byKey.delete(key);
      },
    };
  }

  return {
    listen,
    onEach: (listener) => void always.push(listener),
    get greetedAt() {
      return greetedAt;
    },
    get leftAt() {
      return leftAt;
    },
    get workedAt() {
      return workedAt;
    },
    close() {
      clearInterval(pings);
      subscriber.disconnect();
    },
  };
}

/** A script: in a cluster a bare PUBLISH goes to any node, also to one that hangs. */
const GREET = `
local reply = redis.pcall('PUBLISH', KEYS[1], ARGV[1])
return type(reply) == 'table' and reply.err or ''`;

/**
 * Tells every process that a worker is here, or that it takes no more jobs.
 * @throws StoreUnavailableError
 */
export type Greet = (state: 'here' | 'leaving') => Promise<void>;

/** @param onRefused called when Redis does not allow this user the command, or the channel for it */
export function createGreet(
  store: RedisStore,
  { names, onRefused }: { names: Names; onRefused: (message: string, command: string) => void },
): Greet {
  const greet = store.script('weatherGreet', GREET);
  return async (worker) => {
    const refusal = await greet([names.announcements], [JSON.stringify({ worker })]);
    if (typeof refusal === 'string' && refusal !== '') onRefused(refusal, 'publish');
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
export function readFailure(said: unknown): Failure | undefined {
  if (typeof said !== 'object' || said === null) return undefined;
  const { message, retryAfterMs } = said as Partial<Failure>;
  if (typeof message !== 'string' || !isDuration(retryAfterMs)) return undefined;
  return { message, retryAfterMs };
}
