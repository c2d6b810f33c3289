import { setTimeout as sleep } from 'node:timers/promises';
import { Cluster } from 'ioredis';
import { StoreUnavailableError } from '../../errors.js';
import type { Instruments } from '../../process/instruments.js';
import type { Logger } from '../../process/log.js';
import type { Clock } from '../../weather/types.js';
import type { Names } from '../names.js';
import { createHealthReporter } from './health-reporter.js';
import { createRedisNode, REPLY_MS, type RedisNode } from './node.js';
import type { RedisClient } from './connection.js';
import type { RedisStore } from './port.js';
import { faultOf, isLasting, NO_CONNECTION, WRONG_REPLY, type RedisFault } from './redis-errors.js';
import { topologyOf } from './topology.js';

/**
 * Milliseconds between two health checks of a node, and between two attempts of a patient command. Longer:
 * Redis is used again later after an outage. Shorter: idle processes cost Redis more.
 */
const RETRY_MS = 150;
/**
 * Milliseconds for which a patient command waits for its reply. Longer: clients wait longer for a 503.
 * Shorter: a transient delay of Redis becomes a 503.
 */
const PATIENT_REPLY_MS = 1000;

/** Creates the store: the nodes of Redis, their health checks, and the report of its availability. */
export function createRedisStore(options: {
  client: RedisClient;
  names: Names;
  clock: Clock;
  log: Logger;
  instruments: Instruments;
}): RedisStore {
  const { client, names, clock, instruments } = options;
  const topology = topologyOf(client, names.healthCheck);
  /** The nodes by name; undefined for a node without a connection. */
  const nodes = new Map<string, RedisNode | undefined>();
  const reporter = createHealthReporter(options);
  /** Why the last connection was lost, or the last attempt to connect failed, such as a wrong password. */
  let connectionFault = NO_CONNECTION;
  let wasReached = false;
  /** Number of the last call of a script. */
  let calls = 0;

  const nodeOptions = {
    clock,
    onError: reporter.error,
    onEnd: (tookMs: number) => {
      instruments.redisAnswered(tookMs / 1000);
    },
  };

  /** Adds and removes nodes as the topology and the connections change. */
  function followNodes(): void {
    const present = topology.nodes();
    for (const [name, redis] of present) {
      const node = nodes.get(name);
      if (node && node.redis === redis) continue;
      if (node?.fault && node.fault.reason !== 'no_connection') connectionFault = node.fault;
      nodes.set(name, redis && createRedisNode(redis, nodeOptions));
    }
    for (const name of nodes.keys()) if (!present.has(name)) nodes.delete(name);
  }

  function faultOfNode(node: RedisNode | undefined): RedisFault | undefined {
    const fault = node ? node.fault : NO_CONNECTION;
    return fault?.reason === 'no_connection' ? connectionFault : fault;
  }

  async function checkHealth(): Promise<void> {
    // The library stops connecting if a sentinel reports a failover while it connects.
    if (client.status === 'end') client.connect().catch(() => undefined);
    // It connects to a lost node of a cluster only after `slotsRefreshInterval`.
    const isNodeLost = [...nodes.values()].includes(undefined);
    if (client instanceof Cluster && isNodeLost) client.refreshSlotsCache();
    followNodes();
    const checkNode = async ([name, node]: [string, RedisNode | undefined]) =>
      node?.check(topology.healthCheckKeys(name));
    await Promise.all([...nodes].map(checkNode));
    const isAvailable = [...nodes.values()].some((node) => node?.isAvailable);
    wasReached ||= isAvailable;
    const fault = [...nodes.values()].map(faultOfNode).find(Boolean);
    if (!fault) connectionFault = NO_CONNECTION;
    reporter.update({ fault, isDown: !isAvailable });
  }

  function nodeOf(key: string): RedisNode | undefined {
    return nodes.get(topology.nodeOf(key) ?? '');
  }

  async function runPatiently<T>(key: string, command: () => Promise<T>): Promise<T> {
    const until = clock.monotonic() + PATIENT_REPLY_MS;
    for (;;) {
      try {
        const node = nodeOf(key);
        if (!node) throw new StoreUnavailableError('Redis is not connected');
        return await node.run(command, until - clock.monotonic());
      } catch (error) {
        if (!(error instanceof StoreUnavailableError)) throw error;
        if (isLasting(error.cause) || clock.monotonic() + RETRY_MS >= until) throw error;
        await sleep(RETRY_MS);
      }
    }
  }

  const run: RedisStore['run'] = async (key, command, { patient } = {}) => {
    if (patient) return runPatiently(key, () => command(client));
    const node = nodeOf(key);
    if (!node?.isAvailable) throw new StoreUnavailableError('Redis is unavailable');
    return node.run(() => command(client), REPLY_MS);
  };

  followNodes();
  for (const event of ['ready', 'close', '+node', '-node']) client.on(event, followNodes);
  client.on('ready', () => void checkHealth());
  client.on('error', (error: Error) => {
    const fault = faultOf(error);
    // A server that rejects a connection first sends the reason, and then ends the connection.
    const isEnd = fault.reason === 'no_connection' && client.status !== 'connecting';
    if (!isEnd || connectionFault === NO_CONNECTION) connectionFault = fault;
  });
  const timer = setInterval(() => void checkHealth(), RETRY_MS);

  return {
    client,
    topology,
    run,
    script(name, lua, isReply) {
      client.defineCommand(name, { lua });
      const call = Reflect.get(client, name) as (...args: (string | number)[]) => Promise<unknown>;
      return (keys, args, sendOptions) => {
        const key = keys[0] ?? '';
        const send = async () => {
          const number = String((calls += 1));
          const reply = await call.call(client, keys.length, ...keys, ...args, number);
          const [repeated, ...elements] = Array.isArray(reply) ? (reply as unknown[]) : [];
          if (repeated === number && isReply(elements)) return elements;
          nodeOf(key)?.reset();
          throw new Error(WRONG_REPLY);
        };
        return run(key, send, sendOptions);
      };
    },
    report: reporter.error,
    isWritable: (key) => nodeOf(key)?.isWritable === true,
    get isUp() {
      return wasReached && !reporter.isDown;
    },
    get wasReached() {
      return wasReached;
    },
    close() {
      clearInterval(timer);
      client.disconnect();
    },
  };
}
