import calculateSlot from 'cluster-key-slot';
import { Cluster } from 'ioredis';
import { StoreUnavailableError } from '../../errors.js';
import type { Instruments } from '../../process/instruments.js';
import type { Logger } from '../../process/log.js';
import type { Scope } from '../../weather/scope.js';
import { createNodeHealth, refusalReason, type NodeHealth } from './node-health.js';
import type { RedisClient, RedisStore, Script } from './store.js';
import { createWriteProbe } from './write-probe.js';

/** How much silence a command is worth, and how much when the one before it had no answer. */
const SILENCE_LIMIT_MS = { usual: 125, suspect: 25 };
const PROBE_LIMIT_MS = 200;
const PROBE_INTERVAL_MS = { up: 1000, down: 200 };

/** The store, and what the process needs to know of it. */
export interface GuardedStore extends RedisStore {
  /** Redis's clock, in milliseconds since the Unix epoch: the same for all replicas. */
  now(): number;
  /** Whether Redis answers right now. Takes at most a quarter of a second. */
  check(): Promise<boolean>;
  /** Whether Redis was reached once since the start. */
  readonly wasReached: boolean;
  close(): void;
}

/**
 * Commands under a breaker per node and a time limit, with a probe in the background that opens,
 * closes and tells. Redis's state is written to the log when it changes: `redis_degraded`,
 * `redis_recovered`.
 */
export function createGuardedStore(
  client: RedisClient,
  log: Logger,
  instruments: Instruments,
): GuardedStore {
  const nodes = new Map<string, NodeHealth>();
  const takesWrites = createWriteProbe(client);
  let clockOffset = 0;
  let reached = false;
  let degraded: string | undefined;
  let refusingWrites = false;
  let starting = true;

  function degrade(reason: string): void {
    if (degraded !== undefined) return;
    degraded = reason;
    log.warn({ event: 'redis_degraded', reason });
    instruments.redisDegraded(true);
  }

  function recover(): void {
    if (degraded === undefined || refusingWrites || [...nodes.values()].some((n) => n.open)) return;
    log.info({ event: 'redis_recovered', reason: degraded });
    instruments.redisDegraded(false);
    degraded = undefined;
  }

  function healthOf(node: string): NodeHealth {
    let health = nodes.get(node);
    if (!health) {
      health = createNodeHealth({
        opened: degrade,
        refused(reason) {
          refusingWrites = true;
          degrade(reason);
        },
        unexpected(error) {
          log.error({ event: 'redis_error', err: error });
        },
      });
      nodes.set(node, health);
    }
    return health;
  }

  async function run<T>(
    key: string,
    command: (client: RedisClient) => Promise<T>,
    scope?: Scope,
  ): Promise<T> {
    const health = healthOf(nodeOf(client, key));
    const worth = health.suspect ? SILENCE_LIMIT_MS.suspect : SILENCE_LIMIT_MS.usual;
    const left = scope?.storeTime.leftAt(performance.now()) ?? worth;
    const limit = Math.min(left, worth);
    if (health.open || limit <= 0) throw new StoreUnavailableError('Redis is not asked for now');
    const started = performance.now();
    scope?.storeTime.begin(started);
    try {
      const reply = await health.limits.within(command(client), limit);
      health.answered();
      return reply;
    } catch (error) {
      throw health.failed(error);
    } finally {
      const ended = performance.now();
      scope?.storeTime.end(ended);
      instruments.redisAnswered((ended - started) / 1000);
    }
  }

  function script(name: string, lua: string): Script {
    client.defineCommand(name, { lua });
    const call = (
      Reflect.get(client, name) as (...args: (string | number)[]) => Promise<unknown>
    ).bind(client);
    return (keys, args, scope) =>
      run(keys[0] ?? '', () => call(keys.length, ...keys, ...args), scope);
  }

  /** Asks each node for the time: is it there, how quick is it, and what does its clock say? */
  async function probe(): Promise<boolean> {
    const answers = await Promise.all(masters(client).map(([name, node]) => probeNode(name, node)));
    const up = client.status === 'ready' && answers.some(Boolean);
    if (up) reached = true;
    // At the start nothing is degraded yet: the connection is being made.
    else if (reached || !starting) degrade('no_connection');
    if (up && refusingWrites) refusingWrites = !(await takesWrites());
    if (up && answers.every(Boolean)) recover();
    return up;
  }

  async function probeNode(name: string, node: RedisClient): Promise<boolean> {
    const health = healthOf(name);
    const started = health.limits.now();
    try {
      const sent = Date.now();
      const [seconds, microseconds] = await health.limits.within(node.time(), PROBE_LIMIT_MS);
      clockOffset = Number(seconds) * 1000 + Number(microseconds) / 1000 - (sent + Date.now()) / 2;
      health.probed(health.limits.now() - started);
      return !health.open;
    } catch (error) {
      health.failed(error);
      return false;
    }
  }

  let timer: NodeJS.Timeout;
  let closed = false;
  function scheduleProbe(delay: number): void {
    timer = setTimeout(() => {
      starting = false;
      void probe().then((up) => {
        if (!closed) scheduleProbe(up && !degraded ? PROBE_INTERVAL_MS.up : PROBE_INTERVAL_MS.down);
      });
    }, delay);
    timer.unref();
  }
  scheduleProbe(PROBE_INTERVAL_MS.up);
  client.on('ready', () => void probe());
  // What Redis says to a connection attempt, such as to a wrong password, is the reason to tell.
  client.on('error', (error: Error) => {
    const reason = refusalReason(error);
    if (reason !== undefined) degrade(reason);
  });

  return {
    client,
    run,
    script,
    now: () => Date.now() + clockOffset,
    check: probe,
    get wasReached() {
      return reached;
    },
    close() {
      closed = true;
      clearTimeout(timer);
      for (const { limits } of nodes.values()) limits.stop();
      client.disconnect();
    },
  };
}

/** The name of the node that serves a key; all keys of a single Redis are served by one. */
function nodeOf(client: RedisClient, key: string): string {
  if (!(client instanceof Cluster)) return 'redis';
  return client.slots[calculateSlot(key)]?.[0] ?? 'cluster';
}

function masters(client: RedisClient): [string, RedisClient][] {
  if (!(client instanceof Cluster)) return [['redis', client]];
  return client
    .nodes('master')
    .map((node) => [`${node.options.host ?? ''}:${node.options.port ?? ''}`, node]);
}
