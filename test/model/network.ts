import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { StoreUnavailableError } from '../../src/base/errors.js';
import type { GuardedRedis } from '../../src/redis/client/guarded-redis.js';
import { mastersOf } from '../../src/redis/client/masters.js';
import { REPLY_MS, RETRY_MS } from '../../src/redis/client/timing.js';
import type { Random } from '../support/random.js';
import type { VirtualTime } from './virtual-time.js';

/** Probabilities from 0 to 1, for each message. */
export interface NetworkFaults {
  lost: number;
  duplicated: number;
  /** Delayed by seconds instead of milliseconds. */
  late: number;
}

/** Number of losses after which a command is delivered, so that every write arrives in the end. */
const MAX_LOSSES = 5;

/** Real milliseconds per virtual one in a TTL. Smaller: keys expire during long simulations. */
const TTL_SCALE = 1000;
/** Shortens the TTL of a key by ARGV[1] milliseconds. */
const AGE = `
local ttl = redis.call('PTTL', KEYS[1])
if ttl > 0 then redis.call('PEXPIRE', KEYS[1], ttl - ARGV[1]) end`;

/** A connection between one process and Redis. */
export interface Connection {
  redis: GuardedRedis;
  /** Loses every message, as if Redis were unavailable. */
  isCut: boolean;
  /** Called after each script that Redis has run, with its reply, also if the reply is lost. */
  onExecuted: (reply: unknown, args: readonly (string | number)[]) => void;
}

/**
 * A network in virtual time between processes and one real Redis. It delays, loses, duplicates, and
 * reorders commands and replies. It resends a lost command, as the patient commands of `src/redis`
 * do in real time; the process gets an error meanwhile.
 */
export function createNetwork(options: {
  time: VirtualTime;
  random: Random;
  redis: Redis;
  faults: NetworkFaults;
}) {
  const { time, random, redis, faults } = options;
  /** The virtual time at which the TTL of each key was last shortened. */
  const agedAt = new Map<string, number>();
  redis.defineCommand('modelAge', { lua: AGE, numberOfKeys: 1 });
  const age = Reflect.get(redis, 'modelAge') as (key: string, ms: number) => Promise<unknown>;

  /** Shortens the TTL of a key by the virtual time since the last call. */
  async function passTimeFor(key: string): Promise<void> {
    const passedMs = time.now - (agedAt.get(key) ?? time.now);
    agedAt.set(key, time.now);
    if (passedMs > 0) await age.call(redis, key, passedMs * TTL_SCALE);
  }

  const delayMs = () =>
    random.chance(faults.late) ? random.between(200, 4000) : random.between(1, 20);

  function deliver(
    run: () => Promise<unknown>,
    onReply: (reply: unknown) => void,
    losses = 0,
  ): void {
    const again = () => {
      deliver(run, onReply, losses + 1);
    };
    if (losses < MAX_LOSSES && random.chance(faults.lost)) {
      time.after(RETRY_MS, again);
      return;
    }
    if (random.chance(faults.duplicated)) time.after(delayMs(), () => time.waitFor(run()));
    time.after(delayMs(), async () => {
      const reply = await time.waitFor(run());
      if (random.chance(faults.lost)) return;
      time.after(delayMs(), () => {
        onReply(reply);
      });
    });
  }

  function connect(): Connection {
    const connection = { isCut: false, onExecuted: () => undefined } as unknown as Connection;

    /** Sends a command. @throws StoreUnavailableError if there is no reply in time */
    function send(run: () => Promise<unknown>, limitMs: number): Promise<unknown> {
      return new Promise((resolve, reject) => {
        if (!connection.isCut) deliver(run, resolve);
        time.after(limitMs, () => {
          reject(new StoreUnavailableError('no reply in time'));
        });
      });
    }

    /** A script whose clock and TTLs are virtual. */
    function command(lua: string) {
      const usesClock = lua.includes("call('TIME')");
      const usesTtl = lua.includes("'PX'") || lua.includes("'PTTL'");
      const text = lua
        .replace(/(?:redis\.)?call\('TIME'\)/, '{ARGV[#ARGV - 2], ARGV[#ARGV - 1]}')
        .replaceAll(/'PX', ([^)]+)\)/g, `'PX', ($1) * ${TTL_SCALE})`)
        .replaceAll(/(redis\.call\('PTTL', [^)]+\))/g, `$1 / ${TTL_SCALE}`);
      const name = `model${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
      redis.defineCommand(name, { lua: text });
      const call = Reflect.get(redis, name) as (...args: (string | number)[]) => Promise<unknown>;
      return async (keys: string[], args: readonly (string | number)[]) => {
        const micros = Math.round(time.now * 1000);
        const clock = usesClock ? [Math.floor(micros / 1e6), micros % 1e6] : [];
        if (usesTtl) await Promise.all(keys.map(passTimeFor));
        const all = [...keys, ...args, ...clock, 'call'];
        const [, ...reply] = (await call.call(redis, keys.length, ...all)) as unknown[];
        connection.onExecuted(reply, args);
        return reply;
      };
    }

    const guarded: GuardedRedis = {
      client: redis,
      masters: mastersOf(redis, (tag) => `{${tag}}`),
      isWritable: () => true,
      lost: () => undefined,
      state: () => ({ check: connection.isCut ? 'down' : 'ok', wasReached: true }),
      report: () => undefined,
      close: () => undefined,
      // A command of rate-limiter-flexible runs inside the library, which returns its result.
      command: async (run, waitMs) => (await send(run, waitMs ?? REPLY_MS)) as never,
      script(_name, lua) {
        const call = command(lua);
        return (keys, args, waitMs) => {
          const given = typeof args === 'function' ? args() : args;
          return send(() => call(keys, given), waitMs ?? REPLY_MS) as Promise<never>;
        };
      },
    };
    return Object.assign(connection, { redis: guarded });
  }

  return { connect };
}
