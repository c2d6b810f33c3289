import type { Redis } from 'ioredis';
import { StoreUnavailableError } from '../../errors.js';
import { STORE_TIME_MS, type StoreTime } from '../../weather/scope.js';
import type { AtEndOfTurn } from '../turn.js';
import {
  isCrossSlot,
  isReply,
  isScriptForgotten,
  stateBy,
  type Fault,
  type NodeState,
} from './errors.js';
import { createWaits, TICK_MS } from './waits.js';

/**
 * A reply later than this is late: up to 100 ms all is well. Doubled: new sessions and rate limits of
 * several replicas would be lost at a Redis that is called well.
 */
const LATE_AFTER_MS = 110;
/**
 * A node is not used from here on, until its lateness is down to 0. Doubled: a hung Redis is asked for
 * 0.3 s longer, and used again 0.4 s later; one that is late by 10 ms is used for 40 probes more.
 */
const UNUSABLE_AT_MS = 400;
/**
 * A probe that has no reply after so many others were due: the connection leads to a frozen master or
 * nowhere. Doubled: a replica follows a failover 1 s later.
 */
const DEAD_AFTER_PROBES = 10;

/**
 * Tries a write and reads the clock. The key lives for 10 s. Doubled: 10 s after a deployment has
 * ended, its last key is still there.
 */
export const PROBE = `
redis.call('SET', KEYS[1], '', 'PX', 10000)
return redis.call('TIME')`;

export type RedisNode = ReturnType<typeof createRedisNode>;

/**
 * One Redis server that serves keys, as this process sees it. A sum of lateness (a CUSUM chart) decides
 * whether it is used: three probes in vain, or forty that are late by 10 ms, and it is not, until the
 * sum is down to 0 again. What it says of its state holds until the next probe.
 * @param onTrouble called when it seems that something is wrong: a probe is due
 * @param onError called with an error reply that says nothing about the node's state
 * @param onEnd called when a wait has ended, with a reply or without, and how long it took
 */
export function createRedisNode(options: {
  atEndOfTurn: AtEndOfTurn;
  onTrouble: () => void;
  onError: (error: unknown, keys: readonly string[]) => void;
  onEnd: (tookMs: number) => void;
}) {
  const { atEndOfTurn, onTrouble, onError, onEnd } = options;
  let connection: Redis | undefined;
  let isInTime = false;
  let lateMs = 0;
  /** What the node said last, if it refuses commands. */
  let refusal: NodeState | undefined;
  /** The probe that has no reply yet, and how many others were due since. */
  let unanswered: { probes: number } | undefined;
  let wrongSince: number | undefined = performance.now();
  const waits = createWaits({
    connection: () => connection,
    atEndOfTurn,
    onLate: onTrouble,
    onEnd,
  });

  const isUsable = () => isInTime && (!refusal || refusal.readsOnly === true);
  const isWell = () => isInTime && lateMs === 0 && !refusal;

  function said(state: NodeState | undefined): void {
    if (!refusal?.lasts) refusal = state;
  }

  /** @param tookMs of a probe; one that was given up took all of its time */
  function probed(tookMs: number, began: number, state?: NodeState): void {
    lateMs = Math.min(Math.max(0, lateMs + tookMs - LATE_AFTER_MS), UNUSABLE_AT_MS);
    if (lateMs === UNUSABLE_AT_MS) isInTime = false;
    if (lateMs === 0) isInTime = true;
    if (!unanswered) said(state);
    wrongSince = isWell() ? undefined : (wrongSince ?? began);
  }

  function fault(): Fault {
    if (!connection) return { reason: 'no_connection' };
    if (refusal) return refusal;
    const isSilent = unanswered && unanswered.probes >= DEAD_AFTER_PROBES / 2;
    return { reason: isSilent ? 'no_answer' : 'slow' };
  }

  /** What a failed command means, as the error to throw. */
  function failed(error: unknown, keys: readonly string[]): StoreUnavailableError {
    if (error instanceof StoreUnavailableError) return error;
    const state = stateBy(error);
    if (state) {
      said(state);
      wrongSince ??= performance.now();
      onTrouble();
    } else onError(error, keys);
    const message = error instanceof Error ? error.message : String(error);
    return new StoreUnavailableError(`Redis: ${message}`, { cause: error });
  }

  return {
    /** Whether requests may ask it. */
    get isUsable() {
      return isUsable();
    },
    /** Whether it takes writes, too. */
    get isWritable() {
      return isInTime && !refusal;
    },
    /** Whether nothing is wrong with it, nor seems to begin. */
    get isWell() {
      return isWell();
    },
    /** Why it does not take commands, or no writes, and since when something is wrong with it. */
    get fault(): (Fault & { since: number }) | undefined {
      if (isInTime && !refusal) return undefined;
      return { ...fault(), since: wrongSince ?? performance.now() };
    },
    /**
     * @param keys that the command touches
     * @throws StoreUnavailableError, at once while the node is unavailable or no time is left
     */
    run<T>(keys: readonly string[], command: () => Promise<T>, time: StoreTime): Promise<T> {
      if ((!isUsable() && !time.insists) || time.storeMs <= 0) {
        return Promise.reject(new StoreUnavailableError('Redis is not asked for now'));
      }
      const thrown = (error: unknown): never => {
        throw failed(error, keys);
      };
      return waits.send(command, time).catch((error: unknown) => {
        // The library sends a forgotten script again once, which is too few where somebody empties Redis's
        // scripts twice in a row.
        if (isScriptForgotten(error)) return waits.send(command, time).catch(thrown);
        return thrown(error);
      });
    },
    /** Takes over the present connection; `undefined` while there is none. */
    follow(present: Redis | undefined): void {
      if (present === connection) return;
      connection = present;
      // The client does not end commands that are lost with a connection. A probe among them says
      // nothing about the next connection.
      unanswered = undefined;
      waits.giveUpAll();
      isInTime = false;
      lateMs = 0;
      refusal = undefined;
      wrongSince ??= performance.now();
    },
    /**
     * Reads the node's clock and writes a key.
     * @param keys that the node serves, of which the first is written; without any it is not asked to write
     * @returns how far its clock is ahead of this process's, in milliseconds; undefined when it did not
     *   answer in time, or refused
     */
    async probe(keys: readonly string[]): Promise<number | undefined> {
      const redis = connection;
      if (!redis) return undefined;
      const began = performance.now();
      // A new one would only wait behind the one before.
      if (unanswered) {
        unanswered.probes += 1;
        probed(STORE_TIME_MS, began);
        if (unanswered.probes >= DEAD_AFTER_PROBES) redis.stream.destroy();
        return undefined;
      }
      const own = (unanswered = { probes: 0 });
      const answered = () => {
        if (unanswered === own) unanswered = undefined;
      };
      const time = { storeMs: STORE_TIME_MS };
      const sentAt = Date.now();
      /** How late the reply was: twice the counted ticks at most, because a busy process sees replies too late. */
      const tookMs = () =>
        Math.min(performance.now() - began, 2 * (STORE_TIME_MS - time.storeMs + TICK_MS));
      const send = (): Promise<unknown> =>
        (keys.length === 0 ? redis.time() : redis.eval(PROBE, keys.length, ...keys)).finally(
          answered,
        );
      try {
        const [seconds, microseconds] = (await waits.send(send, time)) as [string, string];
        probed(tookMs(), began);
        const middle = (sentAt + Date.now()) / 2;
        return Number(seconds) * 1000 + Number(microseconds) / 1000 - middle;
      } catch (error) {
        // Another connection may have taken its place.
        if (connection !== redis) return undefined;
        const state = stateBy(error);
        if (isCrossSlot(error) && keys.length > 1) {
          // Redis refuses keys of two slots before it says anything of its own state.
          const offsetMs = await this.probe(keys.slice(0, 1));
          if (isUsable()) onError(error, keys);
          return offsetMs;
        }
        if (isReply(error) && !state) onError(error, keys.slice(0, 1));
        probed(isReply(error) ? tookMs() : STORE_TIME_MS, began, state);
        return undefined;
      }
    },
  };
}
