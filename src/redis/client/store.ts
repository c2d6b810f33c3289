import { Cluster, type Redis } from 'ioredis';
import { StoreUnavailableError } from '../../errors.js';
import type { Instruments } from '../../process/instruments.js';
import type { Logger } from '../../process/log.js';
import { STORE_TIME_MS, type StoreTime } from '../../weather/scope.js';
import type { Names } from '../names.js';
import { createTurns } from '../turn.js';
import { isLoading, leadsToMaster } from './connection.js';
import {
  connectionFaultOf,
  createErrorReports,
  isCrossSlot,
  missingRule,
  stateBy,
  type Fault,
} from './errors.js';
import { createRedisNode, PROBE, type RedisNode } from './node.js';
import type { Command, RedisClient, RedisStore } from './port.js';
import { createTelling } from './telling.js';
import { keyOn, topologyOf } from './topology.js';
import { RETRY_MS } from './waits.js';

export type { Command, RedisClient, RedisStore, Script } from './port.js';

/** How often nodes are probed. Doubled: an outage without traffic is noticed a second later. */
const PROBE_EVERY_MS = 1000;

export function createRedisStore(options: {
  client: RedisClient;
  names: Names;
  log: Logger;
  instruments: Instruments;
}): RedisStore {
  const { client, names, log, instruments } = options;
  const topology = topologyOf(client);
  const nodes = new Map<string, RedisNode>();
  const atEndOfTurn = createTurns();
  const { report, missing } = createErrorReports(log);
  const telling = createTelling(log, instruments);
  /** What came of the last attempt to connect, such as a wrong password. */
  let connectionFault: Fault | undefined;
  let wasReached = false;
  let clockOffsetMs = 0;
  let isProbing = false;
  /** Probes come each `RETRY_MS`. */
  let isAlert = true;
  let isAskingEachKey = false;
  let lookedAroundAt = -Infinity;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const events = {
    atEndOfTurn,
    onTrouble: () => {
      // One more for each late or refused command would load Redis, and soon end a connection that is only late.
      if (!isProbing && !isAlert) probeIn(0);
    },
    onError,
    onEnd: (tookMs: number) => {
      instruments.redisAnswered(tookMs / 1000);
    },
  };

  function onError(error: unknown, keys: readonly string[]): void {
    const [key = ''] = keys;
    if (isCrossSlot(error) && topology.groupBySlot()) log.info({ event: 'redis_has_slots' });
    else if (keys.length > 1 && missingRule(error, key)?.startsWith('~')) {
      void reportEach(error, keys);
    } else report(error, key);
  }

  /** Of one group, as far as is known: one address in front of shards refuses keys of several slots. */
  function probeKeys(node: string): string[] {
    const key = keyOn(topology, node, names.probe);
    if (key === undefined) return [];
    const isOfGroup = (other: string) => topology.groupOf(other) === topology.groupOf(key);
    return [key, names.probe('other')].filter(isOfGroup);
  }

  /** Of several keys Redis does not say which it refuses: each is asked for alone. */
  async function reportEach(error: unknown, keys: readonly string[]): Promise<void> {
    if (isAskingEachKey) return;
    isAskingEachKey = true;
    const asked = await Promise.allSettled(keys.map((key) => client.exists(key)));
    isAskingEachKey = false;
    const refused = keys.filter((_, n) => asked[n]?.status === 'rejected');
    for (const key of refused.length > 0 ? refused : keys) report(error, key);
  }

  /** Nodes come and go. */
  function follow(): void {
    const present = topology.nodes();
    for (const [name, connection] of present) {
      const node = nodes.get(name) ?? createRedisNode(events);
      nodes.set(name, node);
      node.follow(connection);
    }
    for (const [name, node] of nodes) {
      if (present.has(name)) continue;
      nodes.delete(name);
      node.follow(undefined);
    }
  }

  /** What is wrong, and since when. */
  function faultNow(): (Fault & { since: number }) | undefined {
    const rule = missing();
    const fault = [...nodes.values()].map((node) => node.fault).find((found) => found);
    if (!fault && rule === undefined) return undefined;
    if (!fault) return { reason: 'no_permission', detail: rule, since: -Infinity };
    return fault.reason === 'no_connection' ? { ...fault, ...connectionFault } : fault;
  }

  /** What the library does not do by itself, or not soon. */
  async function lookAround(reason: string): Promise<void> {
    lookedAroundAt = performance.now();
    // It gives up for ever when a sentinel tells of a failover while it connects.
    if (client.status === 'end' && !isClosed) client.connect().catch(() => undefined);
    if (client instanceof Cluster) client.refreshSlotsCache();
    else if (await isLoading(client)) connectionFault = { reason: 'loading' };
    else if (reason === 'read_only') {
      const isMaster = (other: Redis) => other.eval(PROBE, 1, names.probe('0'));
      if (await leadsToMaster(client, isMaster)) client.disconnect(true);
    }
  }

  async function probeAll(): Promise<void> {
    follow();
    // Always one node's clock: the clocks of a cluster differ.
    const clock = topology.nodeOf(names.probe('clock'));
    const probes = [...nodes].map(async ([name, node]) => {
      const offsetMs = await node.probe(probeKeys(name));
      if (name === clock) clockOffsetMs = offsetMs ?? clockOffsetMs;
    });
    await Promise.all(probes);
    wasReached ||= [...nodes.values()].some(({ isUsable }) => isUsable);
    const fault = faultNow();
    // The first attempt to connect is bounded, and says more when it has failed.
    const isConnecting = fault?.reason === 'no_connection' && !wasReached && !connectionFault;
    if (!isConnecting) telling.observe(fault);
    if (!fault) connectionFault = undefined;
    // A silent connection is ended, and the next one says nothing before it has failed.
    if (fault?.reason === 'no_answer') connectionFault = { reason: 'no_answer' };
    // Within a second, or each node of a cluster whose connection was cut is told to be unavailable.
    const isDue = performance.now() - lookedAroundAt >= PROBE_EVERY_MS / 2;
    if (fault && isDue) void lookAround(fault.reason);
  }

  function probeIn(delayMs: number): void {
    clearTimeout(timer);
    if (isClosed) return;
    timer = setTimeout(() => void probeNow(), delayMs);
    timer.unref();
  }

  async function probeNow(): Promise<void> {
    if (isProbing) return;
    isProbing = true;
    await probeAll();
    isProbing = false;
    isAlert = !telling.isQuiet || [...nodes.values()].some((node) => !node.isWell);
    probeIn(isAlert ? RETRY_MS : PROBE_EVERY_MS);
  }

  function send<T>(
    keys: readonly string[],
    command: () => Promise<T>,
    time: StoreTime = { storeMs: STORE_TIME_MS },
  ): Promise<T> {
    const node = nodes.get(topology.nodeOf(keys[0] ?? '') ?? '');
    if (!node) return Promise.reject(new StoreUnavailableError('No node of Redis serves the key'));
    return node.run(keys, command, time);
  }

  function define(name: string, lua: string): Command {
    client.defineCommand(name, { lua });
    const call = Reflect.get(client, name) as (...args: (string | number)[]) => Promise<unknown>;
    return (keys, args) => call.call(client, keys.length, ...keys, ...args);
  }

  follow();
  probeIn(RETRY_MS);
  for (const event of ['ready', 'close', '+node', '-node']) {
    client.on(event, () => {
      follow();
      probeIn(0);
    });
  }
  client.on('error', (error: Error) => {
    const fault = connectionFaultOf(error);
    // Where a server refuses a connection, its end comes after the reason for it.
    const isEnd = fault.reason === 'no_connection' && client.status !== 'connecting';
    if (!isEnd || !connectionFault || connectionFault.reason === fault.reason) {
      connectionFault = fault;
    }
  });

  return {
    client,
    topology,
    run: (key, command, time) => send([key], () => command(client), time),
    command: define,
    script(name, lua) {
      const call = define(name, lua);
      return (keys, args, time) => send(keys, () => call(keys, args), time);
    },
    atEndOfTurn,
    // What Redis says about its own state is found by the probes.
    report(message, name) {
      const error = Object.assign(new Error(message), { name: 'ReplyError' });
      return stateBy(message) === undefined && report(error, name);
    },
    isWritable(key, agoMs = 0) {
      const node = nodes.get(topology.nodeOf(key) ?? '');
      const since = wasReached ? node?.fault?.since : undefined;
      return node?.isWritable === true || performance.now() - (since ?? -Infinity) < agoMs;
    },
    now: () => Date.now() + clockOffsetMs,
    get isUp() {
      if (!wasReached || missing() !== undefined) return false;
      return !telling.isLasting || [...nodes.values()].some(({ isUsable }) => isUsable);
    },
    get wasReached() {
      return wasReached;
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      client.disconnect();
    },
  };
}
