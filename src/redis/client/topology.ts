import calculateSlot from 'cluster-key-slot';
import { Cluster, type Redis } from 'ioredis';
import type { RedisClient } from './connection.js';

/** The nodes of Redis, and which of them serves a key. */
export interface Topology {
  /** The name of the node that serves a key; undefined while it is unknown. */
  nodeOf: (key: string) => string | undefined;
  /** Only keys of one group can be in one command: the keys of a slot in a cluster, else all keys. */
  groupOf: (key: string) => string;
  /** Keys of a node for its health check; none if the node serves none that could be found. */
  healthCheckKeys: (node: string) => string[];
  /** The nodes that serve keys now, by name, each with its connection if it has one. */
  nodes(): ReadonlyMap<string, Redis | undefined>;
}

const SINGLE = 'redis';
/** A cluster whose nodes are not yet known counts as one node without a connection. */
const UNKNOWN: ReadonlyMap<string, undefined> = new Map([['cluster', undefined]]);
/** With this number of tags, a node that serves 1 % of the slots has no key once in 20,000 times. */
const MAX_TAGS = 1000;

/** @param keyOf makes the key of a health check from a tag, which chooses its slot */
export function topologyOf(client: RedisClient, keyOf: (tag: string) => string): Topology {
  return client instanceof Cluster ? clusterOf(client, keyOf) : singleOf(client, keyOf);
}

/** A single Redis, or the master that the sentinels name. It serves every key. */
function singleOf(client: Redis, keyOf: (tag: string) => string): Topology {
  return {
    nodeOf: () => SINGLE,
    groupOf: () => SINGLE,
    // Keys of two slots: a proxy in front of several shards, which is not supported, rejects them.
    healthCheckKeys: () => [keyOf('0'), keyOf('1')],
    nodes: () => new Map([[SINGLE, client.status === 'ready' ? client : undefined]]),
  };
}

function clusterOf(client: Cluster, keyOf: (tag: string) => string): Topology {
  const nodeOf = (key: string) => client.slots[calculateSlot(key)]?.[0];
  return {
    nodeOf,
    healthCheckKeys(node) {
      for (let tag = 0; tag < MAX_TAGS; tag += 1) {
        const key = keyOf(String(tag));
        if (nodeOf(key) === node) return [key];
      }
      return [];
    },
    groupOf: (key) => String(calculateSlot(key)),
    nodes() {
      const nodes = new Map<string, Redis | undefined>();
      // The list has holes for slots without a node.
      for (const [owner] of Object.values(client.slots)) if (owner) nodes.set(owner, undefined);
      for (const node of client.nodes('master')) {
        const name = `${node.options.host ?? ''}:${node.options.port ?? ''}`;
        if (nodes.has(name) && node.status !== 'end') nodes.set(name, node);
      }
      return nodes.size > 0 ? nodes : UNKNOWN;
    },
  };
}
