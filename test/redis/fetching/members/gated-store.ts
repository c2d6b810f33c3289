import { StoreUnavailableError } from '../../../../src/errors.js';
import type { RedisClient, RedisStore } from '../../../../src/redis/client/store.js';
import { topologyOf } from '../../../../src/redis/client/topology.js';
import { createTurns } from '../../../../src/redis/turn.js';

/** Far above what a well Redis needs on a busy machine, far below the life of a run. */
const LIMIT_MS = 1000;

/** A store that can be frozen: what is asked of it meanwhile is sent when it thaws. */
export interface GatedStore extends RedisStore {
  freeze(): void;
  thaw(): void;
}

/** @param unforeseen called with each error that is Redis's own answer to a command */
export function createGatedStore(
  client: RedisClient,
  unforeseen: (error: Error) => void,
): GatedStore {
  let frozen: Promise<void> = Promise.resolve();
  let thaw: () => void = () => undefined;

  async function run<T>(_key: string, command: (client: RedisClient) => Promise<T>): Promise<T> {
    await frozen;
    let timer: NodeJS.Timeout | undefined;
    const silence = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        // An answer that has arrived is read before the verdict.
        setImmediate(() => {
          reject(new StoreUnavailableError('Redis was silent'));
        });
      }, LIMIT_MS);
    });
    try {
      return await Promise.race([command(client), silence]);
    } catch (error) {
      if (error instanceof StoreUnavailableError) throw error;
      if (error instanceof Error && error.name === 'ReplyError') unforeseen(error);
      throw new StoreUnavailableError('Redis is not there', { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }

  function command(name: string, lua: string) {
    client.defineCommand(name, { lua });
    const call = (
      Reflect.get(client, name) as (...args: (string | number)[]) => Promise<unknown>
    ).bind(client);
    return (keys: string[], args: (string | number)[]) => call(keys.length, ...keys, ...args);
  }

  return {
    client,
    run,
    command,
    script(name, lua) {
      const call = command(name, lua);
      return (keys, args) => run(keys[0] ?? '', () => call(keys, args));
    },
    atEndOfTurn: createTurns(),
    topology: topologyOf(client),
    report(message) {
      unforeseen(new Error(message));
      return false;
    },
    isWritable: () => true,
    now: () => Date.now(),
    isUp: true,
    wasReached: true,
    close() {
      client.disconnect();
    },
    freeze() {
      thaw();
      frozen = new Promise((resolve) => (thaw = resolve));
    },
    thaw: () => {
      thaw();
    },
  };
}
