import calculateSlot from 'cluster-key-slot';
import { Cluster, type Redis } from 'ioredis';
import type { RedisClient } from './port.js';

/** Which nodes there are, and which of them serves a key. */
export interface Topology {
  /** The name of the node that serves a key; undefined while that is not known. */
  nodeOf: (key: string) => string | undefined;
  /** Keys of one group can be in one command. */
  groupOf: (key: string) => string;
  /**
   * Of one address in front of shards: from now on only the keys of one slot are a group.
   * @returns whether they were not before
   */
  groupBySlot: () => boolean;
  /** The nodes that serve keys at present, by name, each with its connection if it has one. */
  nodes(): ReadonlyMap<string, Redis | undefined>;
}

const SINGLE = 'redis';
/** A cluster whose nodes are not known yet is a node without a connection. */
const UNKNOWN: ReadonlyMap<string, undefined> = new Map([['cluster', undefined]]);
/** With a thousand names, a node that serves 1 % of the keys is missed once in 20,000 times. */
const MAX_NAMES = 1000;

export function topologyOf(client: RedisClient): Topology {
  return client instanceof Cluster ? clusterOf(client) : singleOf(client);
}

/** One Redis, or the master that the sentinels name: it serves every key. */
function singleOf(client: Redis): Topology {
  let hasSlots = false;
  return {
    nodeOf: () => SINGLE,
    groupOf: (key) => (hasSlots ? String(calculateSlot(key)) : SINGLE),
    groupBySlot: () => !hasSlots && (hasSlots = true),
    nodes: () => new Map([[SINGLE, client.status === 'ready' ? client : undefined]]),
  };
}

function clusterOf(client: Cluster): Topology {
  return {
    nodeOf: (key) => client.slots[calculateSlot(key)]?.[0],
    groupOf: (key) => String(calculateSlot(key)),
    groupBySlot: () => false,
    nodes() {
      const nodes = new Map<string, Redis | undefined>();
      // Slots that nobody serves are holes in the list.
      for (const [owner] of Object.values(client.slots)) if (owner) nodes.set(owner, undefined);
      for (const node of client.nodes('master')) {
        const name = `${node.options.host ?? ''}:${node.options.port ?? ''}`;
        if (nodes.has(name) && node.status !== 'end') nodes.set(name, node);
      }
      return nodes.size > 0 ? nodes : UNKNOWN;
    },
  };
}

/**
 * A key that a node serves; undefined when it serves none that could be found.
 * @param keyOf gives a key for each tag
 */
export function keyOn(
  { nodeOf }: Topology,
  node: string,
  keyOf: (tag: string) => string,
): string | undefined {
  for (let n = 0; n < MAX_NAMES; n += 1) {
    const key = keyOf(String(n));
    if (nodeOf(key) === node) return key;
  }
  return undefined;
}
