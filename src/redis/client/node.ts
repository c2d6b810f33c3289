import type { Redis } from 'ioredis';
import { StoreUnavailableError } from '../../errors.js';
import type { StoreTime } from '../../weather/scope.js';
import { isReply, stateBy, UNAVAILABLE, WELL, type NodeState } from './errors.js';
import { createWaits, TICK_MS } from './waits.js';

/** The longest that a probe waits. Doubled: readiness takes half a second beside a hung Redis. */
const PROBE_MS = 250;
/**
 * A reply later than this is late: up to 100 ms all is well. Doubled: new sessions and rate limits of
 * several replicas would be lost at a Redis that is called well.
 */
const LATE_AFTER_MS = 110;
/**
 * Each probe adds the time by which it was late to a sum, and takes from it the time by which it was
 * early. At this sum the node is slow. Doubled: a Redis that is late by 10 ms is called slow after 80
 * probes instead of 40.
 */
const SLOW_SUM_MS = 400;
/**
 * A fault is over when it has not shown for so long. Doubled: after an outage searches are not
 * recorded, and limits count apart, for 2 s more.
 */
const GOOD_FOR_MS = 2000;
/**
 * A connection that is back before so many probes is not logged. Doubled: an outage is logged 2 s
 * later.
 */
const UNTOLD_PROBES = 20;

/**
 * Tries a write and reads the clock. The key lives for 10 s. Doubled: 10 s after a deployment has
 * ended, its last key is still there.
 */
const PROBE = `
redis.call('SET', KEYS[1], '', 'PX', 10000)
return redis.call('TIME')`;

const ALL_WELL: NodeState = { level: WELL };
const NO_CONNECTION: NodeState = { level: UNAVAILABLE, reason: 'no_connection' };
const NO_ANSWER: NodeState = { level: UNAVAILABLE, reason: 'no_answer' };
const SLOW: NodeState = { level: UNAVAILABLE, reason: 'slow' };

/** One Redis server that serves keys, as this process sees it. */
export interface RedisNode {
  /** Whether requests may ask it. */
  readonly isUsable: boolean;
  /** Whether nothing is wrong with it, nor seems to begin. */
  readonly isWell: boolean;
  /** Why it is not well; undefined also while its connection was lost a moment ago. */
  readonly fault: string | undefined;
  /** @throws StoreUnavailableError, at once while the node is unavailable or no time is left */
  run<T>(key: string, command: () => Promise<T>, time: StoreTime): Promise<T>;
  /** Takes over the present connection; `undefined` while there is none. */
  follow(connection: Redis | undefined): void;
  /**
   * Reads the node's clock and writes a key.
   * @param key one that the node serves; undefined: it is not asked to write
   * @returns how far its clock is ahead of this process's, in milliseconds; undefined when it did not
   *   answer in time, or refused
   */
  probe(key: string | undefined): Promise<number | undefined>;
  /** Ends all waits: the node serves no keys any more. */
  leave(): void;
}

/**
 * A node is well, refuses writes, or is unavailable. It gets worse at once, and better when nothing
 * was worse for a while; after a new connection one probe is enough.
 * @param onChange called when the state has changed
 * @param onError called with an error reply that says nothing about the node's state
 * @param onEnd called when a wait has ended, with a reply or without, and how long it took
 */
export function createRedisNode(options: {
  onChange: () => void;
  onError: (error: unknown, key: string) => void;
  onEnd: (tookMs: number) => void;
}): RedisNode {
  const { onChange, onError, onEnd } = options;
  let connection: Redis | undefined;
  let state = NO_CONNECTION;
  /** When something was wrong last over this connection. */
  let wrongAt = -Infinity;
  /** Probes in vain since the connection was lost. A process that is busy makes few. */
  let probesWhileLost = 0;
  let lateSumMs = 0;
  /** The node was late when its connection was lost: a new one is no sign that it is not. */
  let wasSlow = false;
  /** The last probe has no reply yet. */
  let isProbed = false;
  const waits = createWaits({
    connection: () => connection,
    onSilent() {
      becomes(NO_ANSWER);
    },
    onEnd,
  });

  function becomes(next: NodeState): void {
    const now = performance.now();
    if (connection && state.lasts) return;
    if (next.level < state.level && now - wrongAt < GOOD_FOR_MS) return;
    if (next.level !== WELL) wrongAt = now;
    if (next.reason === state.reason) return;
    state = next;
    onChange();
  }

  /** A probe took so long. @param answer what it said; without one it was given up */
  function probed(tookMs: number, answer?: NodeState): void {
    lateSumMs = Math.min(Math.max(0, lateSumMs + tookMs - LATE_AFTER_MS), SLOW_SUM_MS);
    const isSlow = lateSumMs === SLOW_SUM_MS || (state === SLOW && tookMs > LATE_AFTER_MS);
    // Of a node that is silent no more is known.
    const isKnown = state.level === UNAVAILABLE && state !== NO_CONNECTION;
    if (answer && !isSlow) becomes(answer);
    else if (isSlow && !isKnown) becomes(SLOW);
    else wrongAt = performance.now();
  }

  /** What a failed command means, as the error to throw. */
  function failed(error: unknown, key: string): StoreUnavailableError {
    if (error instanceof StoreUnavailableError) return error;
    const said = stateBy(error);
    if (said) becomes(said);
    else onError(error, key);
    const message = error instanceof Error ? error.message : String(error);
    return new StoreUnavailableError(`Redis: ${message}`, { cause: error });
  }

  return {
    get isUsable() {
      return state.level !== UNAVAILABLE;
    },
    get isWell() {
      return state.level === WELL && lateSumMs === 0;
    },
    get fault() {
      const isUntold = state === NO_CONNECTION && probesWhileLost < UNTOLD_PROBES;
      return isUntold ? undefined : state.reason;
    },
    run(key, command, time) {
      if (state.level === UNAVAILABLE || time.storeMs <= 0) {
        return Promise.reject(new StoreUnavailableError('Redis is not asked for now'));
      }
      return waits.send(command, time).catch((error: unknown) => {
        throw failed(error, key);
      });
    },
    follow(present) {
      if (present === connection) return;
      connection = present;
      isProbed = false;
      // The client does not end commands that are lost with a connection. A probe among them says
      // nothing about the next connection.
      waits.giveUpAll();
      if (!present) {
        if (state !== NO_CONNECTION) {
          wasSlow = state === SLOW || lateSumMs > SLOW_SUM_MS / 2;
          // After another fault it is no short loss.
          probesWhileLost = state.level === UNAVAILABLE ? UNTOLD_PROBES : 0;
        }
        becomes(NO_CONNECTION);
      }
      wrongAt = wasSlow ? performance.now() : -Infinity;
    },
    async probe(key) {
      if (state === NO_CONNECTION) probesWhileLost += 1;
      const redis = connection;
      if (!redis) return undefined;
      // Without a reply to the one before, a new one would only wait behind it.
      if (isProbed) {
        probed(PROBE_MS);
        return undefined;
      }
      isProbed = true;
      const time = { storeMs: PROBE_MS };
      const [began, sentAt] = [performance.now(), Date.now()];
      /** Where this process was too busy to see the reply, no more than twice what the ticks say. */
      const tookMs = () =>
        Math.min(performance.now() - began, 2 * (PROBE_MS - time.storeMs + TICK_MS));
      const send = (): Promise<unknown> =>
        (key === undefined ? redis.time() : redis.eval(PROBE, 1, key)).finally(() => {
          isProbed = false;
        });
      try {
        const [seconds, microseconds] = (await waits.send(send, time)) as [string, string];
        probed(tookMs(), ALL_WELL);
        const middle = (sentAt + Date.now()) / 2;
        return Number(seconds) * 1000 + Number(microseconds) / 1000 - middle;
      } catch (error) {
        // Another connection may have taken its place.
        if (connection !== redis) return undefined;
        const said = stateBy(error);
        if (isReply(error) && !said) onError(error, key ?? '');
        if (isReply(error)) probed(tookMs(), said ?? ALL_WELL);
        else probed(PROBE_MS);
        return undefined;
      }
    },
    leave() {
      connection = undefined;
      waits.giveUpAll();
    },
  };
}
