import type { StoreMemory } from '../stores.js';
import type { Topology } from './client/topology.js';

/** The longest that a scrape waits. Doubled: beside a hung Redis each scrape takes 0.2 s longer. */
const TIME_LIMIT_MS = 200;

/**
 * The memory of the node that is fullest. Asked past the time limits of
 * the store: neither a missing permission nor a late answer here means that Redis is degraded.
 * @throws when no node tells it in time
 */
export async function memoryOf(topology: Topology): Promise<StoreMemory> {
  const nodes = [...topology.nodes().values()].filter((node) => node !== undefined);
  const told = await Promise.race([
    Promise.all(nodes.map(async (node) => memoryIn(await node.info('memory')))),
    new Promise<never>((_, reject) => {
      setTimeout(reject, TIME_LIMIT_MS, new Error('Redis did not tell its memory in time')).unref();
    }),
  ]);
  const [fullest] = told.sort((a, b) => share(b) - share(a));
  if (!fullest) throw new Error('Redis is not connected');
  return fullest;
}

const share = ({ used, limit }: StoreMemory): number => (limit === 0 ? 0 : used / limit);

function memoryIn(info: string): StoreMemory {
  const field = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1] ?? 0);
  return { used: field('used_memory'), limit: field('maxmemory') };
}
