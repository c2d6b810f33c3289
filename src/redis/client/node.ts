import type { Redis } from 'ioredis';
import { StoreUnavailableError } from '../../errors.js';
import type { Patience } from '../../weather/scope.js';
import { conditionBy, isReply, UNAVAILABLE, WELL, type Condition } from './errors.js';
import { createWaits, TICK_MS } from './waits.js';

/** The longest that a probe waits. Doubled: readiness takes half a second beside a hung Redis. */
const PROBE_MS = 250;
/**
 * A reply later than this is late: up to 100 ms all is well. Doubled: new sessions and rate limits of
 * several replicas would be lost at a Redis that is called well.
 */
const LATE_MS = 110;
/**
 * Each probe adds the time by which it was late to a sum, and takes from it the time by which it was
 * early. At this sum the node is slow. Doubled: a Redis that is late by 10 ms is called slow after 80
 * probes instead of 40.
 */
const SLOW_SUM_MS = 400;
/**
 * All probes must have been good for so long, and twice as long after a relapse. Doubled: after an
 * outage searches are not recorded, and limits count apart, for 2 s more.
 */
const GOOD_FOR_MS = 2000;
/**
 * Trouble this soon after the last is a relapse. Doubled: after two faults within a minute, searches
 * are not recorded for 2 s more.
 */
const RELAPSE_MS = 30_000;
/**
 * A connection that is back before so many probes is not logged. Doubled: an outage is logged 2 s
 * later.
 */
const UNTOLD_PROBES = 20;

/**
 * Tries a write and reads the clock. The key expires, so nothing is left of a deployment that ended.
 */
const PROBE = `
redis.call('SET', KEYS[1], '', 'PX', 10000)
return redis.call('TIME')`;

const ALL_WELL: Condition = { level: WELL };
const LOST: Condition = { level: UNAVAILABLE, reason: 'no_connection' };
const SILENT: Condition = { level: UNAVAILABLE, reason: 'no_answer' };
const SLOW: Condition = { level: UNAVAILABLE, reason: 'slow' };

/** What a probe found. */
export interface Probed {
  /** How far the node's clock is ahead of this process's, in milliseconds. */
  clockOffsetMs: number | undefined;
}

/** One Redis server that serves keys, as this process sees it. */
export interface RedisNode {
  /** Whether requests may ask it. */
  readonly isUsable: boolean;
  /** Whether nothing is wrong with it, nor seems to begin. */
  readonly isWell: boolean;
  /** Why it is not well; undefined also while its connection was lost a moment ago. */
  readonly fault: string | undefined;
  /** @throws StoreUnavailableError, at once while the node is unavailable or the patience is at its end */
  run<T>(key: string, command: () => Promise<T>, patience: Patience): Promise<T>;
  /** Takes over the present connection; `undefined` while there is none. */
  follow(connection: Redis | undefined): void;
  /**
   * Reads the node's clock and writes a key.
   * @param key one that the node serves; undefined: it is not asked to write
   * @returns undefined when the node did not answer in time, or refuses everything
   */
  probe(key: string | undefined): Promise<Probed | undefined>;
  /** Ends all waits: the node serves no keys any more. */
  leave(): void;
}

/**
 * A node is in one of three conditions: well, refuses writes, unavailable. It gets worse at once, and
 * better when all probes have been better for a while; after a new connection one probe is enough.
 * @param onChange called when the condition has changed
 * @param onError called with an error reply that says nothing about the node's condition
 * @param onEnd called when a wait has ended, with a reply or without, and how long it took
 */
export function createRedisNode(options: {
  onChange: () => void;
  onError: (error: unknown, key: string) => void;
  onEnd: (tookMs: number) => void;
}): RedisNode {
  const { onChange, onError, onEnd } = options;
  let connection: Redis | undefined;
  let condition = LOST;
  /** Probes in vain since the connection was lost. A process that is busy makes few. */
  let probesWhileLost = 0;
  /** No probe over this connection was bad. */
  let isFresh = true;
  /** Since when probes have been better than the condition, and the worst of them. */
  let better: { since: number; worst: Condition } | undefined;
  let requiredMs = GOOD_FOR_MS;
  let wellUntil = -Infinity;
  let lateSumMs = 0;
  /** The probe that has no reply yet. */
  let asked: object | undefined;
  const waits = createWaits({
    connection: () => connection,
    onSilent() {
      found(SILENT);
    },
    onEnd,
  });

  function found(now: Condition): void {
    if (now.level >= condition.level) worsen(now);
    else improve(now);
  }

  function worsen(now: Condition): void {
    better = undefined;
    if (now.level !== WELL) isFresh = false;
    if (now.reason === condition.reason) return;
    if (condition.level === WELL) {
      const isRelapse = performance.now() - wellUntil < RELAPSE_MS;
      requiredMs = isRelapse ? 2 * GOOD_FOR_MS : GOOD_FOR_MS;
    }
    condition = now;
    onChange();
  }

  function improve(now: Condition): void {
    better ??= { since: performance.now(), worst: now };
    if (now.level > better.worst.level) better.worst = now;
    if (!isFresh && performance.now() - better.since < requiredMs) return;
    condition = better.worst;
    better = undefined;
    if (condition.level !== WELL) isFresh = false;
    else wellUntil = performance.now();
    onChange();
  }

  /** A probe was answered after so long, or given up. @returns whether the node is slow */
  function isSlowAfter(ms: number): boolean {
    lateSumMs = Math.min(Math.max(0, lateSumMs + ms - LATE_MS), SLOW_SUM_MS);
    const isSlow = lateSumMs === SLOW_SUM_MS;
    // Of a node that is silent no more is known.
    if (isSlow && (condition.level !== UNAVAILABLE || condition === LOST)) found(SLOW);
    return isSlow;
  }

  function answered(ms: number, answer: Condition): void {
    if (isSlowAfter(ms) || (condition === SLOW && ms > LATE_MS)) better = undefined;
    else found(answer);
  }

  function unanswered(): void {
    isSlowAfter(PROBE_MS);
    isFresh = false;
    better = undefined;
  }

  /** What a failed command means, as the error to throw. */
  function failed(error: unknown, key: string): StoreUnavailableError {
    if (error instanceof StoreUnavailableError) return error;
    const said = conditionBy(error);
    if (said) found(said);
    else onError(error, key);
    const message = error instanceof Error ? error.message : String(error);
    return new StoreUnavailableError(`Redis: ${message}`, { cause: error });
  }

  return {
    get isUsable() {
      return condition.level !== UNAVAILABLE;
    },
    get isWell() {
      return condition.level === WELL && lateSumMs === 0;
    },
    get fault() {
      const isUntold = condition === LOST && probesWhileLost < UNTOLD_PROBES;
      return isUntold ? undefined : condition.reason;
    },
    run(key, command, patience) {
      if (condition.level === UNAVAILABLE || patience.storeMs <= 0) {
        return Promise.reject(new StoreUnavailableError('Redis is not asked for now'));
      }
      return waits.send(command, patience).catch((error: unknown) => {
        throw failed(error, key);
      });
    },
    follow(present) {
      if (present === connection) return;
      connection = present;
      asked = undefined;
      isFresh = true;
      if (present) return;
      if (condition !== LOST) probesWhileLost = 0;
      worsen(LOST);
    },
    async probe(key) {
      if (condition === LOST) probesWhileLost += 1;
      if (!connection) return undefined;
      // Without a reply to the one before, a new one would only wait behind it.
      if (asked) {
        unanswered();
        return undefined;
      }
      const redis = connection;
      const mine = (asked = {});
      const patience = { storeMs: PROBE_MS };
      const [began, sentAt] = [performance.now(), Date.now()];
      /** Where this process was too busy to see the reply, no more than twice what the ticks say. */
      const elapsed = () =>
        Math.min(performance.now() - began, 2 * (PROBE_MS - patience.storeMs + TICK_MS));
      const send = (): Promise<unknown> => {
        const reply = key === undefined ? redis.time() : redis.eval(PROBE, 1, key);
        const settled = () => {
          if (asked === mine) asked = undefined;
        };
        reply.then(settled, settled);
        return reply;
      };
      try {
        const [seconds, microseconds] = (await waits.send(send, patience)) as [string, string];
        answered(elapsed(), ALL_WELL);
        const middle = (sentAt + Date.now()) / 2;
        return { clockOffsetMs: Number(seconds) * 1000 + Number(microseconds) / 1000 - middle };
      } catch (error) {
        // Another connection may have taken its place.
        if (connection !== redis) return undefined;
        if (!isReply(error)) {
          unanswered();
          return undefined;
        }
        const said = conditionBy(error) ?? ALL_WELL;
        if (said === ALL_WELL) onError(error, key ?? '');
        answered(elapsed(), said);
        return said.level === UNAVAILABLE ? undefined : { clockOffsetMs: undefined };
      }
    },
    leave() {
      connection = undefined;
      waits.giveUpAll();
    },
  };
}
