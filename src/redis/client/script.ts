import { readFileSync } from 'node:fs';
import { DIST } from '../../dist-folder.js';
import { destroyConnections, type RedisClient } from './connection.js';
import { WRONG_REPLY } from './redis-errors.js';

/** Reads Lua scripts of `redis/scripts/`, which the build copies, as one script. */
export function readScript(...names: string[]): string {
  const textOf = (name: string) => readFileSync(new URL(`redis/scripts/${name}.lua`, DIST), 'utf8');
  return names.map(textOf).join('');
}

/** Whether the elements of a reply have the types that a script returns. */
type ReplyCheck<Reply> = (reply: unknown[]) => reply is Reply & unknown[];

interface Types {
  string: string;
  number: number;
}

/** Creates a check that a reply consists of elements of these types. */
export function replyOf<const Names extends readonly (keyof Types)[]>(...names: Names) {
  type Reply = { -readonly [I in keyof Names]: Types[Names[I]] };
  return (reply: unknown[]): reply is Reply & unknown[] =>
    reply.length === names.length && names.every((name, i) => typeof reply[i] === name);
}

type Args = readonly (string | number)[];

/**
 * A Lua script, run atomically by Redis. All keys must hash to one slot in a cluster.
 * @param args a function makes the arguments for each attempt
 * @param waitMs as for `command`
 * @returns the elements of the reply after the first one, which repeats the last argument
 * @throws StoreUnavailableError as `command`, and if the reply is not one of this call
 */
export type Script<Reply> = (
  keys: string[],
  args: Args | (() => Args),
  waitMs?: number,
) => Promise<Reply>;

/**
 * Creates the function that registers a script as a command. The first element of its reply must be
 * its last argument, the number of the call. A reply to another call, or of another type, ends the
 * connection: later replies would be assigned to the wrong commands, too.
 */
export function createScripts(
  client: RedisClient,
  command: <T>(call: () => Promise<T>, waitMs?: number) => Promise<T>,
) {
  let calls = 0;
  return <Reply>(name: string, lua: string, isReply: ReplyCheck<Reply>): Script<Reply> => {
    client.defineCommand(name, { lua });
    const run = Reflect.get(client, name) as (...args: Args) => Promise<unknown>;
    return (keys, args, waitMs) => {
      const call = () => {
        const number = String((calls += 1));
        const values = typeof args === 'function' ? args() : args;
        return run.call(client, keys.length, ...keys, ...values, number).then((reply) => {
          const [repeated, ...elements] = Array.isArray(reply) ? (reply as unknown[]) : [];
          if (repeated === number && isReply(elements)) return elements;
          destroyConnections(client);
          throw new Error(WRONG_REPLY);
        });
      };
      return command(call, waitMs);
    };
  };
}
