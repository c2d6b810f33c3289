import { StoreUnavailableError } from '../../errors.js';
import type { Instruments } from '../../process/instruments.js';
import type { Logger } from '../../process/log.js';
import type { Scope } from '../../weather/scope.js';
import { createLoopClock } from './loop-clock.js';
import { createRedisNode, type RedisNode } from './node.js';
import { startProbing } from './probing.js';
import { connectionFaultOf } from './refusals.js';
import { NODE_PATIENCE_MS } from './replies.js';
import { createStateRecord, type Fault } from './state-record.js';
import type { RedisClient, RedisStore, Script, Watched } from './store.js';
import { topologyOf } from './topology.js';

/** The store, and what the process needs to know of it. */
export interface GuardedStore extends RedisStore {
  /** How long the node of a key takes to answer at the moment, smoothed, in milliseconds. */
  replyMs(key: string): number;
  /**
   * Reads a key about once a second, with the probe of its node.
   * @param onRead called with each value that was read
   */
  watch(key: string, onRead?: (value: string | null) => void): Watched;
  /** Redis's clock, in milliseconds since the Unix epoch: the same for all replicas. */
  now(): number;
  /** Whether Redis can be used. Takes at most a quarter of a second. */
  check(): Promise<boolean>;
  /** Whether Redis was reached once since the start. */
  readonly wasReached: boolean;
  /** Whether the log said last that something is wrong with Redis. */
  readonly isDegraded: boolean;
  close(): void;
}

/**
 * Commands under a time limit, and only on nodes that are well. Probes in the background find out
 * when a node can be used again. The log says when the state of Redis changes.
 */
export function createGuardedStore(
  client: RedisClient,
  log: Logger,
  instruments: Instruments,
): GuardedStore {
  const topology = topologyOf(client);
  const nodes = new Map<string, RedisNode>();
  const clock = createLoopClock(tick);
  const state = createStateRecord(log, instruments, () => clock.now());
  let connectionFault: Fault | undefined;

  function open(name: string): RedisNode {
    const node = createRedisNode({
      clock,
      onSilent: () => {
        state.degrade({ reason: 'no_answer' });
      },
      onEnd: (tookMs) => {
        instruments.redisAnswered(tookMs / 1000);
      },
      onUnexpected: (error) => {
        log.error({ event: 'redis_error', err: error });
      },
    });
    nodes.set(name, node);
    return node;
  }

  /** Follows the nodes as they come and go. */
  function follow(): void {
    const present = topology.nodes();
    for (const [name, connection] of present) (nodes.get(name) ?? open(name)).follow(connection);
    for (const [name, node] of nodes) {
      if (present.has(name)) continue;
      nodes.delete(name);
      node.replies.giveUpAll();
    }
  }

  function tick(): boolean {
    let due = false;
    let pending = false;
    for (const { replies } of nodes.values()) {
      due ||= replies.isDue();
      pending ||= replies.pending;
    }
    // First the event loop reads what has arrived: timers come before sockets in its turn.
    if (due) setImmediate(judge);
    return pending;
  }

  function judge(): void {
    for (const { replies } of nodes.values()) replies.judge();
  }

  function nodeOf(key: string): RedisNode | undefined {
    const name = topology.nodeOf(key);
    if (name === undefined) return undefined;
    const known = nodes.get(name);
    // A cluster's client has heard of a node before the next probe asks for all nodes.
    if (!known) follow();
    return known ?? nodes.get(name);
  }

  function run<T>(
    key: string,
    command: (client: RedisClient) => Promise<T>,
    scope?: Scope,
  ): Promise<T> {
    const node = nodeOf(key);
    const left = scope?.storeTime.leftAt(clock.now()) ?? NODE_PATIENCE_MS;
    if (!node?.health.usable || left <= 0) {
      return Promise.reject(new StoreUnavailableError('Redis is not asked for now'));
    }
    node.wire.batch();
    return node.replies.within(command(client), Math.min(left, NODE_PATIENCE_MS), scope);
  }

  function script(name: string, lua: string): Script {
    client.defineCommand(name, { lua });
    const call = (
      Reflect.get(client, name) as (...args: (string | number)[]) => Promise<unknown>
    ).bind(client);
    return (keys, args, scope) =>
      run(keys[0] ?? '', () => call(keys.length, ...keys, ...args), scope);
  }

  /** What came of the last attempt to connect, such as a wrong password, is the reason to tell. */
  const explain = (reason: string): Fault =>
    (reason === 'no_connection' ? connectionFault : undefined) ?? { reason };

  const probing = startProbing({ client, topology, nodes, clock, state, explain, follow, run });
  follow();
  for (const event of ['ready', 'close', '+node', '-node']) {
    client.on(event, () => {
      follow();
      probing.soon();
    });
  }
  client.on('error', (error: Error) => {
    connectionFault = connectionFaultOf(error);
    // Somebody must mend it: that is told at once.
    if (connectionFault.reason !== 'no_connection') state.degrade(connectionFault);
  });
  client.on('ready', () => {
    connectionFault = undefined;
  });

  const isUp = () =>
    probing.wasReached && [...nodes.values()].some(({ health }) => health.fault === undefined);

  return {
    client,
    run,
    script,
    replyMs: (key) => nodes.get(topology.nodeOf(key) ?? '')?.replies.replyMs ?? 0,
    watch: (key, onRead) => probing.watch(key, onRead),
    now: () => Date.now() + probing.clockOffsetMs,
    async check() {
      if (isUp()) await probing.probe();
      return isUp();
    },
    get wasReached() {
      return probing.wasReached;
    },
    get isDegraded() {
      return state.degraded;
    },
    close() {
      probing.stop();
      clock.stop();
      client.disconnect();
    },
  };
}
