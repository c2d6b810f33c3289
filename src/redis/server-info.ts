import type { Logger } from '../process/log.js';
import type { StoreMemory } from '../stores.js';
import { withTimeLimit } from '../time-limit.js';
import { REPLY_MS } from './client/node.js';
import type { Topology } from './client/topology.js';

/**
 * The memory of the node that is fullest. Asked past the store: a late answer is no outage.
 * @throws when a node does not tell it within the time that a request has for Redis
 */
export async function memoryOf(topology: Topology): Promise<StoreMemory> {
  const late = () => new Error('Redis did not tell its memory');
  const told = await withTimeLimit({ limitMs: REPLY_MS, late }, () =>
    Promise.all(connectionsOf(topology).map(async (node) => memoryIn(await node.info('memory')))),
  );
  const [fullest] = told.sort((a, b) => share(b) - share(a));
  if (!fullest) throw late();
  return fullest;
}

/** The oldest server that the tests run with. */
const OLDEST_MAJOR = 7;

/** Warns of a server that evicts keys when it is full, and of one that is too old. */
export async function warnOfServers(topology: Topology, log: Logger): Promise<void> {
  const told = await Promise.all(
    connectionsOf(topology).map((node) => node.info().catch(() => '')),
  );
  const find = (name: string, isWrong: (value: string) => boolean) =>
    told.map((info) => textIn(info, name)).find((value) => value !== undefined && isWrong(value));
  const policy = find('maxmemory_policy', (value) => value !== 'noeviction');
  const version = find('redis_version', (value) => Number.parseInt(value) < OLDEST_MAJOR);
  if (policy) {
    const hint = 'limits and sessions are lost when it is full: set maxmemory-policy noeviction';
    log.warn({ event: 'redis_evicts', policy, hint });
  }
  if (version) {
    log.warn({
      event: 'redis_too_old',
      version,
      hint: `needs Redis ${OLDEST_MAJOR}.0 or Valkey 8`,
    });
  }
}

const connectionsOf = (topology: Topology) =>
  [...topology.nodes().values()].filter((connection) => connection !== undefined);

const textIn = (info: string, name: string) => new RegExp(`^${name}:(\\S+)`, 'm').exec(info)?.[1];

const share = ({ used, limit }: StoreMemory): number => (limit === 0 ? 0 : used / limit);

function memoryIn(info: string): StoreMemory {
  const field = (name: string) => Number(textIn(info, name) ?? 0);
  return { used: field('used_memory'), limit: field('maxmemory') };
}
