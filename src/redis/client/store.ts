import { setTimeout as sleep } from 'node:timers/promises';
import { Cluster } from 'ioredis';
import { StoreUnavailableError } from '../../errors.js';
import type { Instruments } from '../../process/instruments.js';
import type { Logger } from '../../process/log.js';
import type { Clock } from '../../weather/types.js';
import type { Names } from '../names.js';
import { createTurns } from '../turn.js';
import { createClockEstimate } from './clock-estimate.js';
import { faultOfConnection, isErrorReply, isScriptForgotten, type RedisFault } from './redis-errors.js';
import { createHealthReporter } from './health-reporter.js';
import { createRedisNode, PATIENT_REPLY_MS, REPLY_MS, type RedisNode } from './node.js';
import type { Command, RedisClient, RedisStore } from './port.js';
import { topologyOf } from './topology.js';

export type { Command, RedisClient, RedisStore, Script } from './port.js';

/**
 * Milliseconds between two health checks of a node, and between two attempts of a patient command. Longer:
 * Redis is used again later after an outage. Shorter: idle processes cost Redis more.
 */
export const RETRY_MS = 150;

/** Redis with its nodes, their health checks, and the report of its availability. */
export function createRedisStore(options: {
  client: RedisClient;
  names: Names;
  clock: Clock;
  log: Logger;
  instruments: Instruments;
}): RedisStore {
  const { client, names, clock, instruments } = options;
  const topology = topologyOf(client, names.healthCheck);
  const nodes = new Map<string, RedisNode>();
  const atEndOfTurn = createTurns();
  const reporter = createHealthReporter(options);
  /** Why the last attempt to connect failed, such as a wrong password. */
  let connectionFault: RedisFault | undefined;
  let wasReached = false;
  const clockEstimate = createClockEstimate(clock);

  const nodeOptions = {
    clock,
    atEndOfTurn,
    onError: (error: unknown) => {
      reporter.error(error);
    },
    onEnd: (tookMs: number) => {
      instruments.redisAnswered(tookMs / 1000);
    },
  };

  /** Nodes of a cluster come and go. */
  function followNodes(): void {
    const present = topology.nodes();
    for (const [name, connection] of present) {
      const node = nodes.get(name) ?? createRedisNode(nodeOptions);
      nodes.set(name, node);
      node.follow(connection);
    }
    for (const name of nodes.keys()) if (!present.has(name)) nodes.delete(name);
  }

  function faultNow(): RedisFault | undefined {
    const faulty = [...nodes.values()].find((node) => node.fault);
    if (!faulty) connectionFault = undefined;
    const isConnected = faulty?.isConnected && faulty.fault?.reason !== 'no_connection';
    return isConnected ? faulty.fault : (connectionFault ?? faulty?.fault);
  }

  function connectAgain(): void {
    // The library stops connecting if a sentinel reports a failover while it connects.
    if (client.status === 'end') client.connect().catch(() => undefined);
    // It connects to a lost node of a cluster only after `slotsRefreshInterval`.
    const isNodeLost = [...nodes.values()].some((node) => !node.isConnected);
    if (client instanceof Cluster && isNodeLost) client.refreshSlotsCache();
  }

  async function checkHealth(): Promise<void> {
    connectAgain();
    followNodes();
    // Always the clock of one node: the clocks of a cluster differ.
    const clockNode = topology.nodeOf(names.healthCheck('clock'));
    const checks = [...nodes].map(async ([name, node]) => {
      const time = await node.check(topology.healthCheckKeys(name));
      if (time && name === clockNode) clockEstimate.observe(time);
    });
    await Promise.all(checks);
    const isAvailable = [...nodes.values()].some((node) => node.isAvailable);
    wasReached ||= isAvailable;
    const fault = faultNow();
    reporter.update({ fault, isDown: !isAvailable });
  }

  function nodeOf(key: string): RedisNode | undefined {
    return nodes.get(topology.nodeOf(key) ?? '');
  }

  /** The library sends the text of a forgotten script, which Redis may have forgotten again by then. */
  async function send<T>(node: RedisNode, command: () => Promise<T>, limitMs: number): Promise<T> {
    try {
      return await node.run(command, limitMs);
    } catch (error) {
      const { cause } = error as StoreUnavailableError;
      if (!isScriptForgotten(cause)) throw error;
      return node.run(command, limitMs);
    }
  }

  async function sendPatiently<T>(key: string, command: () => Promise<T>): Promise<T> {
    const until = clock.monotonic() + PATIENT_REPLY_MS;
    const leftMs = () => until - clock.monotonic();
    for (;;) {
      try {
        const node = nodeOf(key);
        if (!node) throw new StoreUnavailableError('No node of Redis serves the key');
        return await send(node, command, leftMs());
      } catch (error) {
        const isRejected = error instanceof StoreUnavailableError && isErrorReply(error.cause);
        if (isRejected || leftMs() <= RETRY_MS) throw error;
        await sleep(RETRY_MS);
      }
    }
  }

  const run: RedisStore['run'] = async (key, command, { patient } = {}) => {
    if (patient) return sendPatiently(key, () => command(client));
    const node = nodeOf(key);
    if (!node?.isAvailable) throw new StoreUnavailableError('Redis is unavailable');
    return send(node, () => command(client), REPLY_MS);
  };

  function command(name: string, lua: string): Command {
    client.defineCommand(name, { lua });
    const call = Reflect.get(client, name) as (...args: (string | number)[]) => Promise<unknown>;
    return (keys, args) => call.call(client, keys.length, ...keys, ...args);
  }

  followNodes();
  for (const event of ['ready', 'close', '+node', '-node']) client.on(event, followNodes);
  client.on('ready', () => void checkHealth());
  client.on('error', (error: Error) => {
    const fault = faultOfConnection(error);
    // A server that refuses a connection first sends the reason, and then ends the connection.
    const isEnd = fault.reason === 'no_connection' && client.status !== 'connecting';
    if (!isEnd || !connectionFault) connectionFault = fault;
  });
  const timer = setInterval(() => void checkHealth(), RETRY_MS);
  timer.unref();

  return {
    client,
    topology,
    run,
    command,
    script(name, lua) {
      const call = command(name, lua);
      return (keys, args, sendOptions) => run(keys[0] ?? '', () => call(keys, args), sendOptions);
    },
    atEndOfTurn,
    report(error) {
      reporter.error(error);
    },
    isWritable: (key) => nodeOf(key)?.isWritable === true,
    now: () => clockEstimate.now(),
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
