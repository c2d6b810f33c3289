import { setTimeout as sleep } from 'node:timers/promises';
import type { StoreMemory } from '../stores.js';
import { STORE_TIME_MS } from '../weather/scope.js';
import type { Topology } from './client/topology.js';

/**
 * The memory of the node that is fullest. Asked past the store: neither a missing permission nor a late
 * answer here means that Redis is degraded.
 * @throws when a node does not tell it within the time that a request has for Redis
 */
export async function memoryOf(topology: Topology): Promise<StoreMemory> {
  const nodes = [...topology.nodes().values()].filter((node) => node !== undefined);
  const told = await Promise.race([
    Promise.all(nodes.map(async (node) => memoryIn(await node.info('memory')))),
    sleep(STORE_TIME_MS, [], { ref: false }),
  ]);
  const [fullest] = told.sort((a, b) => share(b) - share(a));
  if (!fullest) throw new Error('Redis did not tell its memory');
  return fullest;
}

const share = ({ used, limit }: StoreMemory): number => (limit === 0 ? 0 : used / limit);

function memoryIn(info: string): StoreMemory {
  const field = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1] ?? 0);
  return { used: field('used_memory'), limit: field('maxmemory') };
}
