import { startRedis } from '../../../test/support/redis-server.js';
import type { Group } from '../groups.js';
import type { GroupResult } from '../results.js';
import {
  HIGH_LIMITS,
  startMemoryReplica,
  startProgram,
  startReplica,
  type Server,
} from '../tools/servers.js';
import { median, medianRatio, spread } from '../tools/statistics.js';

const STARTS = 9;

/**
 * From the spawn of a replica to the first good answer of its readiness probe: as it is deployed, and as a developer
 * starts it. Each beside the straightforward stack, which is started right before it.
 */
export const ready: Group = async ({ wants, onEnd }) => {
  const redis = await startRedis();
  onEnd(() => redis.stop());
  const starts: Record<string, () => Promise<Server>> = {
    ready: () => startReplica({ REDIS_URL: redis.url, ...HIGH_LIMITS }),
    'ready-memory': () => startMemoryReplica({}),
  };
  async function secondsOf(start: () => Promise<Server>): Promise<number> {
    const server = await start();
    await server.stop();
    return server.readyAfterMs / 1000;
  }

  const rows: GroupResult['rows'] = {};
  for (const [row, start] of Object.entries(starts)) {
    if (!wants(row)) continue;
    const pairs: { value: number; over: number }[] = [];
    for (let i = 0; i < STARTS; i += 1) {
      const over = await secondsOf(() => startProgram('straightforward', { REDIS_URL: redis.url }));
      pairs.push({ value: await secondsOf(start), over });
    }
    const { lowest, highest } = spread(pairs.map(({ value, over }) => value / over));
    const seconds = median(pairs.map(({ value }) => value)).toFixed(2);
    const details = `${lowest.toFixed(2)}–${highest.toFixed(2)} in ${STARTS} pairs; ${seconds} s`;
    rows[row] = { value: medianRatio(pairs), details };
  }
  return { rows };
};
