import type { Logger } from '../process/log.js';
import type { StoreMemory } from '../stores.js';
import { inTime } from '../time-limit.js';
import { REPLY_MS } from './client/node.js';
import type { Topology } from './client/topology.js';

/** The oldest major version of Redis that the tests run with. */
const OLDEST_MAJOR = 7;

/**
 * The memory of the fullest node. A late reply does not open a circuit breaker.
 * @throws if a node does not reply within 250 ms, or rejects the command
 */
export async function memoryOf(topology: Topology): Promise<StoreMemory> {
  const late = () => new Error('Redis did not report its memory in time');
  const infos = await inTime(Promise.all(infosOf(topology, 'memory')), REPLY_MS, late);
  const memories = infos.map((info) => ({
    used: Number(fieldOf(info, 'used_memory') ?? 0),
    limit: Number(fieldOf(info, 'maxmemory') ?? 0),
  }));
  const fullness = ({ used, limit }: StoreMemory) => (limit === 0 ? 0 : used / limit);
  const [fullest] = memories.sort((a, b) => fullness(b) - fullness(a));
  if (!fullest) throw late();
  return fullest;
}

/** Logs a warning if a server evicts keys when its memory is full, or if it is too old. */
export async function warnOfServers(topology: Topology, log: Logger): Promise<void> {
  const infos = await Promise.all(
    // An access list (ACL) may forbid the command.
    infosOf(topology, 'default').map((info) => info.catch(() => '')),
  );
  const find = (field: string, isWrong: (value: string) => boolean) =>
    infos.flatMap((info) => fieldOf(info, field) ?? []).find(isWrong);
  const policy = find('maxmemory_policy', (value) => value !== 'noeviction');
  const version = find('redis_version', (value) => Number.parseInt(value) < OLDEST_MAJOR);
  if (policy) {
    const hint = 'limits and sessions are lost when it is full: set maxmemory-policy noeviction';
    log.warn({ event: 'redis_evicts', policy, hint });
  }
  if (version) {
    const hint = `needs Redis ${OLDEST_MAJOR}.0 or Valkey 8`;
    log.warn({ event: 'redis_too_old', version, hint });
  }
}

function infosOf(topology: Topology, section: string): Promise<string>[] {
  const connections = [...topology.nodes().values()];
  return connections.flatMap((redis) => redis?.info(section) ?? []);
}

function fieldOf(info: string, name: string): string | undefined {
  return new RegExp(`^${name}:(\\S+)`, 'm').exec(info)?.[1];
}
