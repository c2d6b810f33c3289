import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { groupSize, type WindowSettings, type WindowState } from '../limits/window.js';
import type { Scope } from '../weather/scope.js';
import type { RedisClient, RedisStore } from './client/store.js';
import type { SessionUpdate } from './sessions.js';
import { WINDOWS_SCRIPT } from './windows-script.js';

/** What windows that count together say to one request. */
export interface CountedTogether {
  /** Index of the window that refused. Then none has counted the request. */
  refusedBy: number | undefined;
  /** One for each window. */
  states: WindowState[];
  /** What the update of a session returned, if it was made. */
  updated: unknown;
}

/**
 * Windows that count together, shared by all processes: Redis's clock decides, and one script counts
 * in all of them or in none.
 */
export interface SharedWindows {
  /**
   * Counts one request. @param id chooses the keys
   * @param update of a session, to be made if all windows admit; not on a cluster, where the session
   *   may be on another node
   * @throws StoreUnavailableError when Redis does not answer in time, or takes no writes
   */
  count(id: string, scope?: Scope, update?: SessionUpdate): Promise<CountedTogether>;
  /** What the windows say now. Counts nothing. @throws StoreUnavailableError */
  look(id: string): Promise<CountedTogether>;
}

const COMMAND = 'weatherWindows';
type Command = (...args: (number | string)[]) => Promise<unknown>;

/**
 * The client as rate-limiter-flexible sees it. The library knows one key and one limit; the script
 * needs as many as there are windows.
 */
function scriptClient(
  client: RedisClient,
  windows: WindowSettings[],
  keysOf: (id: string) => string[],
) {
  const settings = windows.flatMap(({ limit, windowMs }) => [limit, windowMs * 1000]);
  let command: Command | undefined;
  return {
    /** Of the next command. The library has no place for it. */
    update: undefined as SessionUpdate | undefined,
    defineCommand(_name: string, { lua }: { lua: string }) {
      client.defineCommand(COMMAND, { lua });
      command = (Reflect.get(client, COMMAND) as Command).bind(client);
    },
    rlflxIncr([id = '', cost = '']: string[]) {
      const counted = [cost, windows.length, ...settings];
      if (!this.update) return command?.(windows.length, ...keysOf(id), ...counted);
      const { key, args } = this.update;
      return command?.(windows.length + 1, ...keysOf(id), key, ...counted, ...args);
    },
  };
}

/**
 * @param windows one at least
 * @param namesOf a name for each window; in a cluster, names with one hash tag
 */
export function createSharedWindows(
  store: RedisStore,
  windows: WindowSettings[],
  namesOf: (id: string) => string[],
): SharedWindows {
  // A list is read by the size of its groups. With another size, a window begins anew.
  const sizes = windows.map(({ limit }) => groupSize(limit));
  const keysOf = (id: string) =>
    namesOf(id).map((name, i) => (sizes[i] === 1 ? name : `${name}/${sizes[i]}`));
  const client = scriptClient(store.client, windows, keysOf);
  const limiter = new RateLimiterRedis({
    storeClient: client,
    customIncrTtlLuaScript: WINDOWS_SCRIPT,
    keyPrefix: '',
    // The script tells 1 when it admits and 2 when it refuses, whatever the limits are.
    points: 1,
    duration: 1,
  });

  function toCounted({ msBeforeNext }: RateLimiterRes): CountedTogether {
    // The library hands the second value of the script's reply on as it is, whatever its type says.
    const [refusedBy = 0, ...numbers] = msBeforeNext as unknown as number[];
    return {
      refusedBy: refusedBy === 0 ? undefined : refusedBy - 1,
      states: windows.map(({ limit }, i) => ({
        limit,
        remaining: numbers[2 * i] ?? 0,
        resetMs: numbers[2 * i + 1] ?? 0,
      })),
      updated: numbers[2 * windows.length],
    };
  }

  /** It rejects with a result when it refuses, and with an Error when Redis failed. */
  function consume(id: string, cost: number, update: SessionUpdate | undefined) {
    client.update = update;
    // The library calls the command before it returns.
    const consumed = limiter.consume(id, cost);
    client.update = undefined;
    return consumed.catch((error: unknown) => {
      if (error instanceof RateLimiterRes) return error;
      throw error;
    });
  }

  async function ask(id: string, cost: number, scope?: Scope, update?: SessionUpdate) {
    const send = () => consume(id, cost, update);
    return toCounted(await store.run(keysOf(id)[0] ?? '', send, scope));
  }

  return {
    count: (id, scope, update) => ask(id, 1, scope, update),
    look: (id) => ask(id, 0),
  };
}
