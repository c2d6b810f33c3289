import { ifUnavailable } from '../../errors.js';
import type { LoopClock } from './loop-clock.js';
import type { RedisNode } from './node.js';
import type { Fault, StateRecord } from './state-record.js';
import { nothingIfWrongType } from './refusals.js';
import type { RedisClient, RedisStore, Watched } from './store.js';
import type { Topology } from './topology.js';
import { createWriteProbe } from './write-probe.js';

const WRITE_LIMIT_MS = 200;
const INTERVAL_MS = { well: 1000, unwell: 100 };
/** A probe that ended this short a time ago is as good as a new one. */
const AS_GOOD_AS_NEW_MS = 100;

/** Asks all nodes in the background how they are. */
export interface Probing {
  /** Asks now, unless somebody does already or has just done: then that probe is shared. */
  probe(): Promise<void>;
  /** Something changed: the next probe in the background comes at once. */
  soon(): void;
  /** Reads a key with each probe; `onRead` is called with each value that was read. */
  watch(key: string, onRead?: (value: string | null) => void): Watched;
  /** How far Redis's clock is ahead of this process's, in milliseconds. */
  readonly clockOffsetMs: number;
  /** Whether any node ever answered. */
  readonly wasReached: boolean;
  stop(): void;
}

export function startProbing(options: {
  client: RedisClient;
  topology: Topology;
  nodes: Map<string, RedisNode>;
  clock: LoopClock;
  state: StateRecord;
  /** Tells more of a fault, where more is known. */
  explain: (reason: string) => Fault;
  /** Follows the nodes as they come and go. */
  follow: () => void;
  run: RedisStore['run'];
}): Probing {
  const { client, topology, nodes, clock, state, explain, follow, run } = options;
  const takesWrites = createWriteProbe(client);
  const watches = new Set<() => void>();
  let running: Promise<void> | undefined;
  let endedAt = -Infinity;
  let clockOffsetMs = 0;
  let wasReached = false;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let changed = false;

  async function probeAll(): Promise<void> {
    follow();
    for (const read of watches) read();
    await Promise.all([...nodes].map(([name, node]) => probeOne(name, node)));
    tell();
  }

  async function probeOne(name: string, node: RedisNode): Promise<void> {
    const offset = await node.probe();
    if (offset === undefined) return;
    clockOffsetMs = offset;
    wasReached = true;
    if (node.health.refusal === undefined || !node.connection) return;
    const key = topology.keyOn(name);
    if (key === undefined) return;
    const taken = takesWrites(node.connection, key);
    node.health.triedWrite(await ifUnavailable(node.replies.within(taken, WRITE_LIMIT_MS), false));
  }

  function tell(): void {
    const faults = [...nodes.values()].map(({ health }) => health.fault ?? health.refusal);
    const fault = faults.find((reason) => reason !== undefined);
    if (fault !== undefined) state.degrade(explain(fault));
    // At the start, and after a short loss, a node is not well yet, and that is no fault.
    else if ([...nodes.values()].every(({ health }) => health.usable)) state.recover();
  }

  function probe(): Promise<void> {
    if (running) return running;
    if (clock.now() - endedAt < AS_GOOD_AS_NEW_MS) return Promise.resolve();
    running = probeAll().finally(() => {
      running = undefined;
      endedAt = clock.now();
    });
    return running;
  }

  const isWell = () => !state.degraded && [...nodes.values()].every(({ health }) => health.isWell);

  function schedule(delay: number): void {
    clearTimeout(timer);
    if (stopped) return;
    timer = setTimeout(() => {
      endedAt = -Infinity;
      changed = false;
      void probe().then(() => {
        schedule(changed ? 0 : isWell() ? INTERVAL_MS.well : INTERVAL_MS.unwell);
      });
    }, delay);
    timer.unref();
  }
  schedule(INTERVAL_MS.well);

  return {
    probe,
    soon() {
      changed = true;
      schedule(0);
    },
    watch(key, onRead) {
      let value: string | null | undefined;
      function read(): void {
        nothingIfWrongType(run(key, (redis) => redis.get(key))).then(
          (found) => {
            value = found;
            onRead?.(found);
          },
          // It keeps what it held.
          () => undefined,
        );
      }
      watches.add(read);
      read();
      return {
        get value() {
          return value;
        },
        stop() {
          watches.delete(read);
        },
      };
    },
    get clockOffsetMs() {
      return clockOffsetMs;
    },
    get wasReached() {
      return wasReached;
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
