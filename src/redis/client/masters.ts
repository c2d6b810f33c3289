import calculateSlot from 'cluster-key-slot';
import { Cluster, type Redis } from 'ioredis';
import type { RedisClient } from './connection.js';

export interface Master {
  /** Undefined while it has no connection. */
  redis: Redis | undefined;
  address: string | undefined;
  /** Keys that it serves, for its health check; none if none could be found. */
  keys: string[];
}

export interface Masters {
  list(): Master[];
  /** Only keys of one group can be in one command: in a cluster, those of a slot. */
  groupOf: (key: string) => string;
}

/** With this number, a node that serves 1 % of the slots has no key once in 20,000 times. */
const MAX_TAGS = 1000;

/** @param keyOf makes the key of a health check from a tag, which chooses its slot */
export function mastersOf(client: RedisClient, keyOf: (tag: string) => string): Masters {
  return client instanceof Cluster ? clusterOf(client, keyOf) : singleOf(client, keyOf);
}

/** A single Redis, or the master that the sentinels name. It serves every key. */
function singleOf(client: Redis, keyOf: (tag: string) => string): Masters {
  // Keys of two slots: a proxy in front of several shards, which is not supported, rejects them.
  const keys = [keyOf('0'), keyOf('1')];
  return {
    list: () => [
      { redis: client.status === 'ready' ? client : undefined, address: undefined, keys },
    ],
    groupOf: () => '',
  };
}

function clusterOf(client: Cluster, keyOf: (tag: string) => string): Masters {
  const ownerOf = (key: string) => client.slots[calculateSlot(key)]?.[0];

  function keysOf(address: string): string[] {
    for (let tag = 0; tag < MAX_TAGS; tag += 1) {
      const key = keyOf(String(tag));
      if (ownerOf(key) === address) return [key];
    }
    return [];
  }

  return {
    list() {
      const connections = new Map<string, Redis>();
      for (const redis of client.nodes('master')) {
        const { host = '', port = '' } = redis.options;
        if (redis.status !== 'end') connections.set(`${host}:${port}`, redis);
      }
      // The list has holes for slots without a node.
      const owners = Object.values(client.slots).flatMap(([owner]) => owner ?? []);
      const masters = [...new Set(owners)].map((address) => ({
        address,
        redis: connections.get(address),
        keys: keysOf(address),
      }));
      // A cluster whose masters are not known yet counts as one without a connection.
      return masters.length > 0 ? masters : [{ redis: undefined, address: undefined, keys: [] }];
    },
    groupOf: (key) => String(calculateSlot(key)),
  };
}
