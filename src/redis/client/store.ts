import type { Cluster, Redis } from 'ioredis';
import { StoreUnavailableError } from '../../errors.js';
import type { Instruments } from '../../process/instruments.js';
import type { Logger } from '../../process/log.js';
import { STORE_TIME_MS, type Scope } from '../../weather/scope.js';
import type { Names } from '../names.js';
import { watchConnection } from './connection.js';
import { createErrorReports, REMEDIES, resentIfForgotten, stateBy, type Fault } from './errors.js';
import { createRedisNode, type RedisNode } from './node.js';
import { keyOn, topologyOf } from './topology.js';

/** A connection to Redis of any of the three kinds (single, Sentinel, Cluster). */
export type RedisClient = Redis | Cluster;

/**
 * A Lua script, run atomically by Redis. All keys must hash to one slot in a cluster.
 * @param scope of the request, from whose time the wait takes; without it, a quarter of a second
 */
export type Script = (keys: string[], args: (string | number)[], scope?: Scope) => Promise<unknown>;

/**
 * What the adapters of this folder build on: commands under a time limit, on nodes that are there, and
 * what the process needs to know of Redis.
 */
export interface RedisStore {
  readonly client: RedisClient;
  /**
   * Runs one command. Its wait takes from the time of the scope. While the node of the key is
   * unavailable there is no wait.
   * @param key the key that the command touches: in a cluster it names the node
   * @throws StoreUnavailableError when the node is unavailable or refuses the command;
   *   LateReplyError, which is one, when the command was sent and may still take effect
   */
  run<T>(key: string, command: (client: RedisClient) => Promise<T>, scope?: Scope): Promise<T>;
  /** Registers a script under a name that is unique in this process. */
  script(name: string, lua: string): Script;
  /**
   * Reports an error that the store does not see: one that a script has caught, or one on another
   * connection.
   * @param name the key or the channel that the command was about
   * @returns whether a rule of the access list is missing
   */
  report(message: string, name: string): boolean;
  /** The clock of one node, the same for all processes, in milliseconds since the Unix epoch. */
  now(): number;
  /** Whether Redis can be used. Takes at most a quarter of a second. */
  check(): Promise<boolean>;
  /** Whether Redis was reached once since the start. */
  readonly wasReached: boolean;
  close(): void;
}

/** How often nodes are probed. Doubled: an outage without traffic is noticed a second later. */
const PROBE_EVERY_MS = 1000;
/** The same while something is wrong. Doubled: Redis is used again 0.1 s later. */
const PROBE_SOON_MS = 100;
/**
 * The log and the gauge say at most once in this time that Redis has recovered: faults in a row are one
 * outage. Doubled: after two faults in a row they say degraded for up to 10 s more.
 */
const RECOVERIES_APART_MS = 10_000;
/** The same after a slow Redis, whose delay may come and go. Doubled: degraded for 30 s more. */
const SLOW_RECOVERIES_APART_MS = 30_000;

/**
 * Sends commands to nodes that are there, and finds out in the background which are. The log says
 * when Redis is degraded and when it has recovered.
 */
export function createRedisStore(options: {
  client: RedisClient;
  names: Names;
  log: Logger;
  instruments: Instruments;
}): RedisStore {
  const { client, names, log, instruments } = options;
  const topology = topologyOf(client);
  const nodes = new Map<string, RedisNode>();
  const { report, missing } = createErrorReports(log);
  /** What came of the last attempt to connect, such as a wrong password. */
  let connectionFault: Fault | undefined;
  /** The reasons of this outage that were logged, the last one last. */
  const reasons = new Set<string>();
  let recoveredAt = -Infinity;
  let wasReached = false;
  let clockOffsetMs = 0;
  let probing: Promise<void> | undefined;
  let probedAt = -Infinity;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const onEnd = (tookMs: number) => {
    instruments.redisAnswered(tookMs / 1000);
  };

  /** Follows the nodes as they come and go. */
  function follow(): void {
    const present = topology.nodes();
    for (const [name, connection] of present) {
      const node =
        nodes.get(name) ?? createRedisNode({ onChange: logState, onError: report, onEnd });
      nodes.set(name, node);
      node.follow(connection);
    }
    for (const [name, node] of nodes) {
      if (present.has(name)) continue;
      nodes.delete(name);
      node.leave();
    }
  }

  /** Logs the state that follows from all nodes: nothing at the start, and after a short loss. */
  function logState(): void {
    const all = [...nodes.values()];
    wasReached ||= all.some(({ isUsable }) => isUsable);
    const reason = all.map(({ fault }) => fault).find((fault) => fault);
    const rule = missing();
    if (reason === 'no_connection') degraded(connectionFault ?? { reason });
    else if (reason !== undefined) degraded({ reason, detail: REMEDIES[reason] });
    else if (rule !== undefined) degraded({ reason: 'no_permission', detail: rule });
    else if (all.every(({ isUsable }) => isUsable)) recovered();
  }

  /** Each reason is logged once in an outage. */
  function degraded({ reason, detail }: Fault): void {
    if (reasons.has(reason)) return;
    const before = [...reasons].at(-1);
    reasons.add(reason);
    if (before === undefined) log.warn({ event: 'redis_degraded', reason, detail });
    else log.warn({ event: 'redis_reason_changed', reason, detail, before });
    instruments.redisDegraded({ reason, detail });
  }

  function recovered(): void {
    connectionFault = undefined;
    const reason = [...reasons].at(-1);
    if (reason !== undefined) {
      const apartMs = reasons.has('slow') ? SLOW_RECOVERIES_APART_MS : RECOVERIES_APART_MS;
      if (performance.now() - recoveredAt < apartMs) return;
      recoveredAt = performance.now();
      reasons.clear();
      log.info({ event: 'redis_recovered', reason });
    }
    instruments.redisDegraded(undefined);
  }

  async function probeAll(): Promise<void> {
    // The library gives up for ever when a sentinel tells of a failover while it connects.
    if (client.status === 'end' && !isClosed) client.connect().catch(() => undefined);
    follow();
    // Always one node's clock: the clocks of a cluster differ.
    const clock = topology.nodeOf(names.probe('clock'));
    const probes = [...nodes].map(async ([name, node]) => {
      const offsetMs = await node.probe(keyOn(topology, name, names.probe));
      if (name === clock) clockOffsetMs = offsetMs ?? clockOffsetMs;
    });
    await Promise.all(probes);
    logState();
  }

  /** One probe at a time, shared by all who want one; one that is not older is as good as new. */
  function probe(maxAgeMs: number): Promise<void> {
    if (performance.now() - probedAt < maxAgeMs) return Promise.resolve();
    probing ??= probeAll().finally(() => {
      probing = undefined;
      probedAt = performance.now();
    });
    return probing;
  }

  function probeIn(delayMs: number): void {
    clearTimeout(timer);
    if (isClosed) return;
    timer = setTimeout(() => {
      void probe(0).then(() => {
        const isWell = [...nodes.values()].every((node) => node.isWell);
        probeIn(isWell ? PROBE_EVERY_MS : PROBE_SOON_MS);
      });
    }, delayMs);
    timer.unref();
  }

  function run<T>(
    key: string,
    command: (client: RedisClient) => Promise<T>,
    scope?: Scope,
  ): Promise<T> {
    const node = nodes.get(topology.nodeOf(key) ?? '');
    if (!node) return Promise.reject(new StoreUnavailableError('No node of Redis serves the key'));
    const time = scope ?? { storeMs: STORE_TIME_MS };
    return node.run(key, () => resentIfForgotten(() => command(client)), time);
  }

  /** A node that was lost a moment ago may be back before anybody asks. */
  const isUp = () =>
    wasReached &&
    missing() === undefined &&
    [...nodes.values()].some(
      ({ isUsable, fault }) => isUsable || (fault === undefined && reasons.size === 0),
    );

  follow();
  probeIn(PROBE_SOON_MS);
  for (const event of ['ready', 'close', '+node', '-node']) {
    client.on(event, () => {
      follow();
      probeIn(0);
    });
  }
  watchConnection(client, (fault) => {
    if (fault.reason !== 'no_connection') {
      // An operator must change something: logged at once.
      degraded((connectionFault = fault));
    } else if (!connectionFault || connectionFault.reason === fault.reason) {
      // Where a server refuses a connection, its end comes after the reason for it.
      connectionFault = fault;
    }
  });

  return {
    client,
    run,
    script(name, lua) {
      client.defineCommand(name, { lua });
      const call = Reflect.get(client, name) as (...args: (string | number)[]) => Promise<unknown>;
      return (keys, args, scope) =>
        run(keys[0] ?? '', () => call.call(client, keys.length, ...keys, ...args), scope);
    },
    // What Redis says about its own state is found by the probes.
    report(message, name) {
      const error = Object.assign(new Error(message), { name: 'ReplyError' });
      return stateBy(message) === undefined && report(error, name);
    },
    now: () => Date.now() + clockOffsetMs,
    async check() {
      if (isUp()) await probe(PROBE_SOON_MS);
      return isUp();
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
